import { parameterOf } from '../../parameters.ts';
import type { PageCheck } from './asked.ts';

/** RFC 6749 section 4.1.1: `client_id` is REQUIRED. */
export const clientIdPresent: PageCheck = ({ parameters }) =>
  parameterOf(parameters, 'client_id') === undefined ? 'client_id_missing' : undefined;

export const clientKnown: PageCheck = ({ client }) => (client === undefined ? 'client_unknown' : undefined);

/** A suspended or revoked application gets no redirect either: it may be the reason it was stopped. */
export const clientActive: PageCheck = ({ client }) =>
  client?.state === 'active' ? undefined : 'client_inactive';
