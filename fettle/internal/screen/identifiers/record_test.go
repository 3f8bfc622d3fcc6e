package identifiers

import "testing"

func TestRecord(t *testing.T) {
	hits := []string{
		"MRN: 12345678", "MRN 12345678", "mrn=12345678", "MRN#12345678", "M.R.N.: 12345678", `"mrn": "A-1234567"`, "<MRN>00123456</MRN>",
		"MRN is 1234567", "mrn_12345", "Patient ID: 12345", "patient_id=AB12345", "patientId: 998877", `"patientID":"x-123"`, "Patient No. 12345",
		"Patient #: 12345", "patient number 12345", "Patient's ID 12345", "Medical record no. 12345678", "medical record number: 12345678",
		"Medical Record # 12345678", "medicalRecordNumber = 5551234", "med rec no 123456", "MRN:\n12345678", "Medical Record: 12-34-56",
		"MRN ........ 12345678", "| MRN | 12345678 |", "ＭＲＮ：１２３４５６７８", "the MRN was 555123",
		"MRN: 123", "MRN\n1234567\n7654321", // of a column, the row below its heading
		`MRN:\n12345678`, `ids\nmrn: 12345678`, `MRN\t12345678\t`, `{\u0022mrn\u0022: 12345678`, "\x1b[1mMRN\x1b[0m: \x1b[31m12345678\x1b[0m",
		"MRN:\x1b[20G12345678", "MRN: \u206612345678\u2069",
	}
	misses := []string{
		"12345678", "id: 12345678", "MRN: pending", "MRN: 12", "inpatient id 12345", "alumrn 12345", "record no. 12345678",
		"patient 12345", "MRN\n\n\n12345678", "patient identity 12345", "MRNA 12345", "patient id of the 12345", "order no. 12345678",
		"MRN: 123456789012345678901234567890", "MRN\nnone yet\n7654321", `MRN\n\n12345678`, `MRN\x12345678`, `col\umrn 12345678`, "\x1b[1mRN: 12345678",
		"| MRN | name |\n| --- | --- |\n| 7654321 | Ann |",
	}
	verdicts(t, records, hits, misses)
}
