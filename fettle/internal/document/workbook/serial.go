package workbook

import (
	"math"
	"strconv"
	"time"
)

const (
	day        = 86_400_000 // milliseconds
	lastSerial = 2_958_465  // 9999-12-31
	days1904   = 1_462
)

var (
	epoch1900 = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	epoch1904 = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
)

// appendSerial writes a number as the date, time or duration its format makes
// of it. It reports false when in doubt, and then the number is shown.
func appendSerial(dst []byte, v float64, k kind, date1904 bool) ([]byte, bool) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return dst, false
	}
	if k == elapsed {
		return appendElapsed(dst, v), math.Abs(v) <= lastSerial
	}
	last := float64(lastSerial + 1)
	if date1904 {
		last -= days1904
	}
	if v < 0 || v >= last {
		return dst, false
	}
	ms := int64(math.Round(v * day))
	if rest := ms % 1000; rest < 5 || rest > 995 {
		ms = (ms + 500) / 1000 * 1000 // a stored second is a hair off
	}
	days, rest := ms/day, ms%day
	if days == 0 && !date1904 { // Excel's day 0 is 1900-01-00
		switch {
		case k == clock, k == either && rest != 0:
			return appendClock(dst, rest), true
		}
		return dst, false
	}
	switch {
	case k == clock && days == 0:
		return appendClock(dst, rest), true
	case k == date && rest == 0, k == either && rest == 0:
		return appendDate(dst, days, date1904), true
	}
	return appendClock(append(appendDate(dst, days, date1904), 'T'), rest), true
}

func appendDate(dst []byte, days int64, date1904 bool) []byte {
	switch {
	case date1904:
		return epoch1904.AddDate(0, 0, int(days)).AppendFormat(dst, time.DateOnly)
	case days == 60: // Excel counts a day that never was
		return append(dst, "1900-02-29"...)
	case days < 60:
		days++
	}
	return epoch1900.AddDate(0, 0, int(days)).AppendFormat(dst, time.DateOnly)
}

func appendClock(dst []byte, ms int64) []byte {
	t := time.UnixMilli(ms).UTC()
	if ms%1000 != 0 {
		return t.AppendFormat(dst, "15:04:05.000")
	}
	return t.AppendFormat(dst, time.TimeOnly)
}

// appendElapsed writes hours that may be more than a day's: 36:00:00.
func appendElapsed(dst []byte, v float64) []byte {
	s := int64(math.Round(math.Abs(v) * 86_400))
	if v < 0 && s != 0 {
		dst = append(dst, '-')
	}
	if s < 36_000 {
		dst = append(dst, '0')
	}
	dst = strconv.AppendInt(dst, s/3600, 10)
	return time.Unix(s%3600, 0).UTC().AppendFormat(dst, ":04:05")
}
