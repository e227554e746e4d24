import type { Environment } from '../../catalog/environments.ts';
import type { Table } from '../../platform/table/table.ts';
import type { ApplicationRecordRequest, PatientRecordRequest } from '../trail/questions-contract.ts';
import { putAuditEvent } from './audit-events-contract.ts';

type Question = Pick<PatientRecordRequest, 'lob' | 'askedBy' | 'purpose'> &
  Partial<Pick<PatientRecordRequest, 'patientId'> & Pick<ApplicationRecordRequest, 'clientId'>>;

/** Creates the function that records a question about a patient's or an application's record, before it is answered. */
export function createQuestionRecorder(options: {
  readonly table: Table;
  readonly environment: Environment;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
}) {
  const { table, environment, now, uuid } = options;
  return async ({ lob, askedBy, purpose, patientId, clientId }: Question): Promise<void> => {
    await putAuditEvent(table, {
      ...{ eventId: uuid(), requestId: uuid(), time: new Date(now()).toISOString(), environment, lob },
      ...{ action: 'audit.question', outcome: 'permitted', reason: purpose },
      ...{ actor: 'operator', operatorId: askedBy },
      ...(patientId !== undefined && { patientId }),
      ...(clientId !== undefined && { clientId }),
    });
  };
}
