//go:build mage

package main

// go-pdfium carries PDFium as compiled WebAssembly, without the licences of
// what is compiled in. They are kept here by hand, for the version that is
// named: another one fails until somebody has looked what it contains.
const pdfiumReviewed = "v1.21.4"

const pdfiumTitle = "PDFium, as github.com/klippa-app/go-pdfium carries it in fettle-reader"

const pdfiumNotice = `Copyright 2014 The PDFium Authors

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are
met:

   * Redistributions of source code must retain the above copyright
notice, this list of conditions and the following disclaimer.
   * Redistributions in binary form must reproduce the above
copyright notice, this list of conditions and the following disclaimer
in the documentation and/or other materials provided with the
distribution.
   * Neither the name of Google Inc. nor the names of its
contributors may be used to endorse or promote products derived from
this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS
"AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT
LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR
A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT
OWNER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT
LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE,
DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY
THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
(INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

Parts of PDFium are under the Apache License, Version 2.0, whose text stands
above. PDFium in turn contains:

   Abseil, Apache License, Version 2.0
   Anti-Grain Geometry 2.3. Copyright (C) 2002-2005 Maxim Shemanarev.
      Permission to copy, use, modify, sell and distribute this software is
      granted provided this copyright notice appears in all copies. This
      software is provided "as is" without express or implied warranty, and
      with no claim as to its suitability for any purpose.
   FreeType. Portions of this software are copyright (C) The FreeType Project
      (https://freetype.org). All rights reserved. Used under the FreeType License.
   ICU, Unicode License. Copyright (C) Unicode, Inc.
   libjpeg-turbo. This software is based in part on the work of the
      Independent JPEG Group. Copyright (C) 1991-2024 The libjpeg-turbo Project
      and many others. IJG License and BSD 3-clause license.
   Little CMS, MIT license. Copyright (C) Marti Maria Saguer
   OpenJPEG, BSD 2-clause license. Copyright (C) 2002-2014 Universite
      catholique de Louvain (UCL), Belgium, and the other authors of OpenJPEG
   zlib, zlib license. Copyright (C) 1995-2024 Jean-loup Gailly and Mark Adler

The full texts are in third_party of PDFium's sources,
https://pdfium.googlesource.com/pdfium/.
`
