/** Schema of a stored representation: a personal representative of a patient. */

import * as z from 'zod/mini';
import { isRepresentativeRole, type RepresentativeRole } from '../../catalog/oauth/representative-roles.ts';

/** A representation as stored. An ended one is kept without contacts, so that an older row can't make it active again. */
export const storedRepresentation = z.object({
  representativeId: z.string(),
  patientId: z.string(),
  memberId: z.string(),
  displayName: z.string(),
  birthYear: z.optional(z.string()),
  name: z.string(),
  birthDate: z.string(),
  role: z.custom<RepresentativeRole>(isRepresentativeRole),
  from: z.optional(z.number()),
  until: z.optional(z.number()),
  state: z.enum(['active', 'ended']),
  lastUpdated: z.string(),
  /** Encrypted contact data of a representative who is no member. */
  contact: z.optional(z.custom<Uint8Array>((value) => value instanceof Uint8Array)),
});
export type StoredRepresentation = z.infer<typeof storedRepresentation>;
