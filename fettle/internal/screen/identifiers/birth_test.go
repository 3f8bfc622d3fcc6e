package identifiers

import "testing"

func TestBirth(t *testing.T) {
	hits := []string{
		"DOB: 03/04/1980", "DOB 3/4/80", "dob=1980-04-03", "D.O.B. 03.04.1980", "Date of Birth: 04/03/1980", "date of birth 3 April 1980",
		"DOB: April 3, 1980", "DOB: Apr. 3rd, 1980", "born on 3rd of April 1980", "Born on the 3 Apr 1980", `"dateOfBirth": "1980-04-03"`,
		`"birthDate":"1980-04-03"`, "<dob>1980-04-03</dob>", "patient_dob: 1980-04-03", "patientDOB=1980-04-03T00:00:00Z", "DOB: 19800403",
		"Date of birth\n03/04/1980", "birthday: 3-Apr-1980", "was born 3 April 1980", "DOB – 03/04/1980", "DOB:\t1980/4/3",
		`DOB:\t03/04/1980`, `name\ndob: 1980-04-03`, `\birthday 1980-04-03`, "\x1b[1mDOB\x1b[0m \x1b[33m03/04/1980\x1b[0m", "DOB: 03\ufffd04\ufffd1980",
		"\u200fDOB\u200e: 1980-04-03",
	}
	misses := []string{
		"03/04/1980", "date: 03/04/1980", "DOB: unknown", "DOB: 99/99/1980", "DOB: 03/04/3980", "dobber 03/04/1980", "reborn on 03/04/1980",
		"DOB: 12345678", "DOB: 1980", "born in 1980", "DOB\n\n\n03/04/1980", "on 03/04/1980", "birth 03/04/1980", "DOB v03/04/1980",
		`DOB\n\n03/04/1980`, `date:\n03/04/1980`, "DOB: 03\ufffd\ufffd04\ufffd1980", "\x1b[1mOB 03/04/1980",
	}
	verdicts(t, births, hits, misses)
}
