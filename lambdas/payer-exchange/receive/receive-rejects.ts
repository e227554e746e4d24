/** Reasons why a row that another payer sent is not passed on to the loader, with the fix. */
import type { NdjsonFault } from '../../platform/kernel/ndjson-object.ts';

type OwnCode = 'too_deep' | 'unserved_type' | 'no_id' | 'no_patient' | 'not_this_member';

/** Codes are stable: they are stored in quarantine files and counted. */
export const receiveRejects = {
  not_utf8: { problem: 'The row is not valid UTF-8.', fix: 'Ask the payer to write its files in UTF-8.' },
  row_too_long: {
    problem: 'The row is longer than 4 MB.',
    fix: 'Ask the payer to send attachments by URL.',
  },
  not_json: {
    problem: 'The row is not a JSON object.',
    fix: 'Fetch the file again. If the row is the same, ask the payer for one JSON object on each line.',
  },
  control_character: {
    problem: 'The row has a control character, such as NUL.',
    fix: 'Ask the payer to remove control characters other than tab, carriage return and line feed.',
  },
  duplicate_name: {
    problem: 'An object has a name twice.',
    fix: 'Ask the payer to write each name once in an object.',
  },
  too_deep: {
    problem: 'Elements are nested deeper than any record.',
    fix: 'Ask the payer to leave out extensions inside extensions.',
  },
  unserved_type: {
    problem: 'The resource is of a type that this service does not serve.',
    fix: 'None is needed: the type is no part of the payers’ exchange.',
  },
  no_id: {
    problem: 'The resource has no valid id.',
    fix: 'Ask the payer for ids of 1 to 64 letters, digits, hyphens or dots.',
  },
  no_patient: {
    problem: 'The resource has no reference to its Patient.',
    fix: 'Ask the payer to set the named element to the reference Patient/<id> of the match.',
  },
  not_this_member: {
    problem:
      'The resource refers to a Patient who is not a matched member with a permission, or to several Patients.',
    fix: 'Report it to the payer’s privacy contact: the row may hold another person’s data. It was not stored.',
  },
} as const satisfies Readonly<
  Record<NdjsonFault | OwnCode, { readonly problem: string; readonly fix: string }>
>;

export type ReceiveRejectCode = keyof typeof receiveRejects;
