package ops

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"

	"fettler/fettle/internal/image"
	"fettler/fettle/internal/screen"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

const (
	// imageBase64 and imageSide are what clients reject beyond.
	imageBase64 = 5 << 20
	imageSide   = 8000
	// imagesBase64 bounds all the images of one answer.
	imagesBase64 = 20 << 20
)

// image describes a picture by its header and sends its bytes along where a
// client would take them.
func (r *reader) image(ctx context.Context, src *source, mime string, out *ReadFile) error {
	if src.screen != config.None {
		// There is no text in it to judge, and something in it to see.
		return screen.Image().At(src.path)
	}
	h, err := image.Parse(src.at, src.size)
	if err != nil {
		return outcome.New(outcome.Refused, "%s cannot be read: %v", src.name, err).At(src.path).Because(err)
	}
	if err := r.hash(ctx, src, out); err != nil {
		return err
	}
	out.MIMEType, out.Width, out.Height = mime, h.Width, h.Height
	encoded := int64(base64.StdEncoding.EncodedLen(int(min(src.size, 1<<40))))
	switch {
	case h.Width > imageSide || h.Height > imageSide:
		out.Notes = append(out.Notes, fmt.Sprintf("the image is %d x %d pixels and clients reject one of more than %d a side, so it is described and not sent", h.Width, h.Height, imageSide))
	case encoded > imageBase64:
		out.Notes = append(out.Notes, fmt.Sprintf("the image is %d bytes of base64 and clients reject one of more than %d, so it is described and not sent", encoded, imageBase64))
	case r.images+int(encoded) > imagesBase64:
		out.Notes = append(out.Notes, "the images before it fill this answer, so it is described and not sent: read it by itself")
	default:
		b := make([]byte, src.size)
		if n, err := src.at.ReadAt(b, 0); n < len(b) {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		out.Base64 = base64.StdEncoding.EncodeToString(b)
		r.images += len(out.Base64)
	}
	return nil
}
