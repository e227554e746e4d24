/** Sends a partner's own request from a file, and explains the response. */

import { fhirRefusals } from '../../lambdas/catalog/fhir/fhir-refusals.ts';
import type { HttpResponse } from '../http/client.ts';
import { CheckFailure, jsonBody } from './expectations.ts';
import type { Partner } from './partner.ts';

/** Options of the self-test that name a file with a request, and the operation to send it to. */
export const ownRequests = {
  match: 'Patient/$member-match',
  bulk: 'Group/$bulk-member-match',
} as const;
export type OwnRequest = keyof typeof ownRequests;

/**
 * Sends a request and explains the response.
 *
 * @param text the body, as the partner's client would send it.
 * @returns lines for the report, and whether a member matched.
 */
export async function tryOwnRequest(
  partner: Partner,
  kind: OwnRequest,
  text: string,
): Promise<{ readonly isMatched: boolean; readonly lines: readonly string[] }> {
  const path = ownRequests[kind];
  try {
    const prefer = kind === 'bulk' && { prefer: 'respond-async' };
    const answer = await partner.post(path, text, { headers: { ...prefer } });
    const sent = `POST ${path}: ${answer.status}`;
    if (kind === 'match' && answer.status === 200)
      return { isMatched: true, lines: [sent, ...matchOf(answer)] };
    if (kind === 'bulk' && answer.status === 202) {
      const { isMatched, lines } = await groupsOf(partner, answer);
      return { isMatched, lines: [sent, ...lines] };
    }
    return { isMatched: false, lines: [sent, ...refusalOf(kind, answer)] };
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    return { isMatched: false, lines: [error.message] };
  }
}

type Json = Readonly<Record<string, unknown>>;

function matchOf(answer: HttpResponse): readonly string[] {
  const parameters = (jsonBody(answer).parameter ?? []) as readonly Json[];
  return [
    'The member is matched.',
    ...parameters.map(({ name, ...value }) => `  ${name}: ${JSON.stringify(Object.values(value)[0])}`),
  ];
}

async function groupsOf(partner: Partner, begun: HttpResponse) {
  const { manifest } = await partner.finish(begun);
  const resourcesOf = async (list: typeof manifest.output) =>
    (await partner.files(list)).flatMap(({ resources }) => resources);
  const groups = await resourcesOf(manifest.output.filter(({ type }) => type === 'Group'));
  const errors = await resourcesOf(manifest.error);
  const isMatched = groups.some(
    ({ code, quantity }) => JSON.stringify(code).includes('"match"') && Number(quantity) > 0,
  );
  const lines = [
    ...groups.map(({ name, quantity, id }) => `  ${name}: ${quantity} (Group/${id})`),
    ...errors.flatMap((outcome) => issuesOf(outcome)),
  ];
  return { isMatched, lines };
}

/** Meaning of a refusal, by its status. */
const meanings: Readonly<Record<number, string>> = {
  400: 'The request is malformed. No member was looked up.',
  401: 'The token or the subscription key was not accepted.',
  403: 'Your application may not do this: its product, its scopes, or an organization that is not verified.',
  413: 'The body is too long.',
  415: 'The body is not sent as application/fhir+json.',
  429: 'A limit was reached. Retry-After says when to send it again.',
};

function refusalOf(kind: OwnRequest, answer: HttpResponse): readonly string[] {
  const issues = issuesOf(jsonBody(answer));
  // A fault of the request has a text of its own; all refusals that depend on members have the same text.
  const isAboutMember = answer.body.includes(fhirRefusals['member-not-matched'].diagnostics);
  const meaning = isAboutMember
    ? 'The request breaks no rule, and no member is matched by it. A reason is never told: compare identifier, name and birth date with what the member gave you.'
    : answer.status === 422
      ? 'The request breaks the rules below. No member was looked up. Mend them and send it again.'
      : (meanings[answer.status] ??
        `The service could not answer ${ownRequests[kind]}. Send it again later.`);
  return [meaning, ...issues];
}

function issuesOf({ issue }: Json): readonly string[] {
  return ((issue ?? []) as readonly Json[]).map(({ severity, code, diagnostics, expression }) => {
    const place = Array.isArray(expression) ? ` (${expression.join(', ')})` : '';
    return `  ${severity} ${code}: ${diagnostics}${place}`;
  });
}
