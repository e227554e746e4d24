/** Handler of `audit-patient-record`, invoked by the operator's CLI: who accessed a member's data. */

import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { guardInvocation } from '../platform/runtime/invocation.ts';
import { systemRandom } from '../platform/runtime/random.ts';
import { createSignedTable } from '../platform/table/signed-table.ts';
import { createPatientRecords } from './store/patient-records.ts';
import { createQuestionRecorder } from './store/question-recorder.ts';
import { patientRecord } from './trail/patient-record.ts';
import { patientRecordRequest } from './trail/questions-contract.ts';

const { environment, tableName } = readEnvironment(['environment', 'tableName']);
const table = createSignedTable({ tableName });
const records = createPatientRecords(table);
const recordQuestion = createQuestionRecorder({
  table,
  environment,
  now: systemClock,
  uuid: systemRandom.uuid,
});

/** Answers a page of a patient's audit record, after it has recorded who asked and why. Reads events of patients, and nothing else. */
export const handler = guardInvocation('audit-patient-record', async (payload) => {
  const request = patientRecordRequest.parse(payload);
  await recordQuestion(request);
  return await patientRecord(records, request);
});
