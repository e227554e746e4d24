import * as z from 'zod/mini';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { PatientCompartment } from '../fhir/ports.ts';
import { grantKey, patientResourceKey } from './keys.ts';
import type { Table } from './table.ts';

/** What a read needs of the two items (docs/architecture.md, Items). */
const grantItem = z.object({
  clientId: z.string(),
  state: z.enum(['pending', 'active', 'revoked']),
  expiresAt: z.number(),
});
const resourceItem = z.object({
  json: z.string(),
  fhirJson: z.optional(z.string()),
  versionId: z.string(),
  lastUpdated: z.string(),
});

/** The patients' partitions of one LOB. */
export function createPatientCompartment(table: Table, lob: LineOfBusiness): PatientCompartment {
  return {
    async read(patientId, grantId, resourceType, id) {
      const [grant, resource] = await table.batchGet([
        grantKey(lob, patientId, grantId),
        patientResourceKey(lob, patientId, resourceType, id),
      ]);
      return {
        grant: grant && grantItem.parse(grant),
        resource: resource && resourceItem.parse(resource),
      };
    },
  };
}
