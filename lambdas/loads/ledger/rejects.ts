import type { Fault } from '../../fhir/validation/faults.ts';
import { withoutControls } from '../../platform/kernel/without-controls.ts';

/** Reject codes: the reason why a row is not loaded, and the fix. Codes are stable, because data teams match on them. */
export const rejectCodes = {
  not_utf8: { problem: 'The row is not valid UTF-8.', fix: 'Write the file in UTF-8.' },
  not_json: {
    problem: 'The row is not a JSON object.',
    fix: 'Write one complete JSON object on each line. A truncated file causes this error in its last row.',
  },
  row_too_long: {
    problem: 'The row is longer than 4 MB.',
    fix: 'Send attachments by URL, or leave them out.',
  },
  control_character: {
    problem: 'The row has a control character, such as NUL.',
    fix: 'Remove control characters other than tab, carriage return and line feed from texts.',
  },
  duplicate_name: { problem: 'An object has a name twice.', fix: 'Write each name once in an object.' },
  other_type: {
    problem: 'The row is not of the type the manifest gives for its file.',
    fix: 'Write one resource type in each file, and name it in the manifest.',
  },
  no_id: {
    problem: 'The resource has no valid id.',
    fix: 'Set id: 1 to 64 letters, digits, hyphens or dots, the same in every drop.',
  },
  reserved_id: {
    problem:
      'The row has, refers to or withdraws an id that begins with received-: such ids are of data from other payers.',
    fix: 'Give the plan’s own resources other ids, and refer to these.',
  },
  not_received: {
    problem: 'In a drop of received data, the row is, changes or refers to something that was not received.',
    fix: 'Give each resource an id of received- and 40 hexadecimal digits, refer to no others but the Patient, and withdraw no others.',
  },
  no_source: {
    problem: 'In a drop of received data, meta.source is missing or no absolute URL.',
    fix: 'Set meta.source to the FHIR base URL of the payer that sent the resource.',
  },
  no_version: {
    problem: 'The resource has no valid meta.versionId.',
    fix: 'Set meta.versionId to the source’s version: 1 to 64 letters, digits, hyphens or dots.',
  },
  no_last_updated: {
    problem: 'meta.lastUpdated is missing or is not an instant.',
    fix: 'Set meta.lastUpdated to the time of the source’s last change of the resource, with seconds and an offset or Z.',
  },
  future_last_updated: {
    problem: 'meta.lastUpdated is in the future.',
    fix: 'Set meta.lastUpdated to the time of the last change, with the right offset, and check the clock of the source.',
  },
  no_profile: {
    problem: 'The resource declares no served profile of its type.',
    fix: 'Set meta.profile to a profile of the CapabilityStatement, and conform to it.',
  },
  drug_prior_authorization: {
    problem: 'The prior authorization is for a drug.',
    fix: 'Leave it out: prior authorizations for drugs are not served.',
  },
  other_use: {
    problem: 'use and meta.profile contradict each other.',
    fix: 'Give a prior authorization the use preauthorization and the PDex profile, and a claim the use claim and a CARIN profile.',
  },
  unknown_element: {
    problem: 'The resource has an element that its type or its profile does not have.',
    fix: 'Correct the element’s name, move it to where it belongs, or leave it out.',
  },
  missing_element: {
    problem: 'An element is missing that FHIR R4 or the claimed profile requires.',
    fix: 'Set the named element, or claim a profile that does without it.',
  },
  too_many_values: {
    problem: 'An element has more values than FHIR R4 or the claimed profile allows.',
    fix: 'Keep the values that are true now. Of a choice, such as onset[x], set one.',
  },
  wrong_type: {
    problem: 'A value is not of the type of its element, such as a text in place of an object.',
    fix: 'Write the element with the type that is expected.',
  },
  malformed_value: {
    problem: 'A value is not of the form its type has, such as a date that is not in the calendar.',
    fix: 'Write the value in the form that is expected. Leave out what is not known: 2025 or 2025-02 is a date.',
  },
  empty_value: {
    problem: 'An element is an empty text, list or object, or null.',
    fix: 'Leave out elements that have no value.',
  },
  unknown_code: {
    problem: 'A code is not in the list that FHIR R4 or the claimed profile requires.',
    fix: 'Set the named element to a code of its value set, with the system of the value set.',
  },
  other_value: {
    problem: 'An element is not what FHIR R4 or the claimed profile requires it to be.',
    fix: 'Set the named element to what is expected.',
  },
  implausible_value: {
    problem: 'A value is no fact: a birth date or an amount that nobody has.',
    fix: 'Correct the value in the source. Leave out what is not known, rather than write a filler.',
  },
  too_deep: {
    problem: 'Elements are nested deeper than any record.',
    fix: 'Leave out extensions inside extensions.',
  },
  too_many_elements: {
    problem: 'The resource has more elements than any record.',
    fix: 'Send several resources.',
  },
  text_too_long: {
    problem: 'A text is longer than 65,536 characters.',
    fix: 'Shorten the text, or send it as the data of a Binary or an attachment.',
  },
  no_patient: {
    problem: 'The row has no reference to its Patient.',
    fix: 'Set the named element to the reference Patient/<id>.',
  },
  no_member_id: {
    problem: 'The Patient has no member identifier.',
    fix: 'Set one identifier with type code MB (system http://terminology.hl7.org/CodeSystem/v2-0203) and a value.',
  },
  wrong_lob: {
    problem: 'The Patient belongs to another line of business.',
    fix: 'Send the row in a drop of the line of business its identifier names.',
  },
  other_member: {
    problem: 'This Patient id belongs to another member identifier.',
    fix: 'Keep the IDs of Patients. If two member identifiers belong to one person, send a merge.',
  },
  member_id_taken: {
    problem: 'This member identifier belongs to another Patient id.',
    fix: 'Keep the IDs of Patients. If two Patients are one person, send a merge.',
  },
  foreign_reference: {
    problem: 'The row refers to a Patient other than its own.',
    fix: 'Refer to other people as RelatedPerson.',
  },
  unserved_reference: {
    problem: 'A reference is not type/id of a served type.',
    fix: 'Contain the resource, or refer to it by an identifier or an absolute URL.',
  },
  unresolved_reference: {
    problem: 'The resource of a reference is not stored.',
    fix: 'Send that resource in this drop or an earlier one, and for the same Patient if it belongs to one.',
  },
  part_not_loaded: {
    problem: 'The row refers to a resource that is not stored, and a part of the drop was not loaded.',
    fix: 'Correct what stopped that part (loads show names it), then run loads retry: this row is loaded then.',
  },
  patient_merged: {
    problem: 'The Patient was merged into another one.',
    fix: 'Send the row with a reference to the Patient it was merged into.',
  },
  older_version: {
    problem:
      'A newer version is stored, or the resource was withdrawn later. The row counts as older, not as rejected.',
    fix: 'If an older drop arrived late, do nothing. Otherwise correct meta.lastUpdated.',
  },
  version_reused: {
    problem: 'This version is stored with other content.',
    fix: 'Give changed content a new meta.versionId. Two rows with one ID in a drop also cause this error.',
  },
  too_large: {
    problem: 'The resource is larger than 400 KB as stored (compressed), or than 6 MB as text in a response.',
    fix: 'Send attachments by URL, or leave them out.',
  },
  unknown_change: {
    problem:
      'The parameters’ names are not those of a withdrawal, a move, a merge, a representation, a permission to ask another payer, or the end of one.',
    fix: 'Write the names as in the documentation of drops, and no others.',
  },
  duplicate_parameter: {
    problem: 'A parameter is there twice.',
    fix: 'Write each parameter once, and each change as a row of its own.',
  },
  change_reference: {
    problem: 'A parameter does not refer to what is to change.',
    fix: 'Set valueReference.reference of the named parameter to type/id of a loaded type; Patient/<id> where the documentation of drops says so.',
  },
  change_line_of_business: {
    problem: 'The line of business of the move is unknown, or the one of the drop.',
    fix: 'Set valueCode to the code of the line of business that the member is in now.',
  },
  same_patient: {
    problem: 'The two Patients of the merge are one.',
    fix: 'Set source-patient to the Patient that ends, and target-patient to the one that stays.',
  },
  no_representative_id: {
    problem: 'The representative has no identifier, or several.',
    fix: 'Set one identifier with the plan’s ID of the person: of a member, the member identifier.',
  },
  unknown_relationship: {
    problem: 'The relationship of the representative is not one that may share a member’s data.',
    fix: 'Set a coding of HL7 v3 RoleCode that the documentation of drops lists, such as MTH, GUARD or RESPRSN.',
  },
  period_malformed: {
    problem: 'The period of the representation has an edge that is no date and no instant.',
    fix: 'Set period.start and period.end to dates (YYYY-MM-DD) or instants with an offset or Z.',
  },
  no_other_payer: {
    problem: 'The row does not name the other plan.',
    fix: 'Set payor.display of the Coverage there (100 characters at most), and valueString of end-other-payer, to the plan’s name.',
  },
  permission_unusable: {
    problem: 'The Consent is no active permission to ask another payer.',
    fix: 'Set status active, dateTime, one policy.uri (#regular or #sensitive of hrex-consent), provision.type permit and provision.period.end.',
  },
  coverage_start_malformed: {
    problem: 'The start of coverage is no date.',
    fix: 'Set valueDate of coverage-start to a date: YYYY-MM-DD.',
  },
  own_representative: {
    problem: 'The representative is the member.',
    fix: 'Leave the row out: members share their own data without it.',
  },
  other_person: {
    problem: 'The representative’s identifier is that of a member with another birth date.',
    fix: 'Send the identifier that is this person’s alone, and the birth date as in their Patient.',
  },
  not_stored: {
    problem: 'The resource to change is not stored.',
    fix: 'Correct the reference; no resource was changed. If the reference is right, do nothing: after a withdrawal an older version is rejected.',
  },
} as const;
export type RejectCode = keyof typeof rejectCodes;

/** A row that was not loaded. It contains IDs and element names, and no other value of the row. */
export interface RowReject {
  readonly line: number;
  readonly code: RejectCode;
  /** `<type>/<id>`, if the row has them. */
  readonly resource?: string;
  /** Path of the faulty element: `insurer.reference`. */
  readonly element?: string;
  /** The expected value in words. */
  readonly expected?: string;
  /** Further faults of the same row. */
  readonly others?: readonly Fault[];
}

/** Reasons why a whole file is not loaded, with the fix. */
export const fileRefusals = {
  file_missing: {
    problem: 'The manifest names a file that is not in the folder.',
    fix: 'Upload every file before the manifest.',
  },
  file_sha256_differs: {
    problem: 'The SHA-256 of the file is not the one of the manifest.',
    fix: 'Upload the complete file again, then the manifest.',
  },
  file_of_unknown_type: {
    problem: 'The manifest gives the file a type that no drop of its product holds.',
    fix: 'Name a type that the documentation of drops lists, or leave the file out of the manifest.',
  },
  file_is_gzip: { problem: 'The file is gzip.', fix: 'Upload the file uncompressed.' },
  file_is_utf16: { problem: 'The file is UTF-16.', fix: 'Write the file in UTF-8.' },
} as const;
export type FileRefusal = keyof typeof fileRefusals;

/** Most characters of an element's path in a reject, because element names come from the sender. */
const longestPath = 300;

/**
 * Formats a reject as a line of a rejects file, with its problem and fix. The line has no control characters, which a terminal could take
 * as commands.
 */
export function rejectLine(file: string, { element, ...reject }: RowReject): string {
  const path = element !== undefined && { element: element.slice(0, longestPath) };
  return withoutControls(JSON.stringify({ file, ...reject, ...path, ...rejectCodes[reject.code] }));
}

/** Parses a rejects file of this service. */
export function readRejects(text: string): readonly RowReject[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { file: _file, problem: _problem, fix: _fix, ...reject } = JSON.parse(line);
      return reject as RowReject;
    });
}
