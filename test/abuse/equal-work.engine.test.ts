import { afterAll, describe, expect, it, vi } from 'vitest';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import { theMember, theSecret } from '../authorization/builders.ts';
import { type Call, eventOf } from '../authorization/events.ts';
import { startHandlerWorld, uncoveredName } from '../authorization/handler-world.ts';
import { authorizationQuery, basic, openSignIn, signInForm, tokenCall } from '../authorization/journey.ts';

/**
 * Requests with equal answers cause equal work, so that response times reveal nothing: the reads, digests and comparisons are counted, not
 * timed. One difference is left out: a failed authentication of a registered application is recorded in the audit, that of an unknown
 * client is not, since anybody could fill the audit. A client ID is no secret (RFC 6749 section 2.2). Whether a member exists is a secret,
 * and there both requests are recorded alike.
 */

const world = await startHandlerWorld();
afterAll(() => world.stop());
const known = (await world.register()).clientId;
const secrets = [{ sha256: digests.sha256Hex('one') }, { sha256: digests.sha256Hex('two') }];
const rotated = (await world.register({ secrets })).clientId;

interface Work {
  readonly reads: number;
  readonly hashes: number;
  readonly comparisons: number;
}

async function workOf(run: () => Promise<unknown>): Promise<Work> {
  const hashes = vi.spyOn(digests, 'sha256Hex');
  const comparisons = vi.spyOn(digests, 'equal');
  world.proxy.plan();
  await run();
  const reads = world.proxy.calls.filter(
    (body) => 'Key' in JSON.parse(body) && !('UpdateExpression' in JSON.parse(body)),
  );
  // Each audit event is hashed when it is written; this digest does not count.
  const records = world.proxy.calls.filter((body) => body.includes('"AUDIT#')).length;
  const work = {
    reads: reads.length,
    hashes: hashes.mock.calls.length - records,
    comparisons: comparisons.mock.calls.length,
  };
  hashes.mockRestore();
  comparisons.mockRestore();
  return work;
}

const withCredentials = (authorization: string): Call =>
  tokenCall('x', 'code', { headers: { authorization } });

describe('a client that fails to authenticate', () => {
  it.each([
    'token',
    'revoke',
    'introspect',
  ])('costs at /%s the same whether it is registered or not', async (end) => {
    const answers: string[] = [];
    const ask = async (authorization: string) => {
      const answer = await world.token(
        eventOf({ ...withCredentials(authorization), path: `/fhir-oauth2/pub/dsnp/${end}` }),
      );
      answers.push(JSON.stringify([answer.statusCode, answer.body]));
    };
    // The first request of a client to an instance also reserves a share of the rate in the table, so it is not measured.
    for (const id of [known, rotated, 'client-unknown1']) await ask(basic(id, 'wrong'));
    const work = [
      await workOf(() => ask(basic(known, 'wrong'))),
      await workOf(() => ask(basic(rotated, 'wrong'))),
      await workOf(() => ask(basic(known, `${theSecret.slice(0, -1)}X`))),
      await workOf(() => ask(basic('client-unknown1', 'wrong'))),
    ];
    for (const each of work) expect(each).toEqual(work[0]);
    for (const each of answers) expect(each).toBe(answers[0]);
  });
});

describe('a member who fails to sign in', () => {
  it('costs the same and sees the same page whether the account exists, is covered here, or neither', async () => {
    const pages: string[] = [];
    const ask = async (username: string, password: string) => {
      const opened = await openSignIn(world, authorizationQuery(known));
      const work = await workOf(async () => {
        const page = await world.authorize(eventOf(signInForm(opened, { username, password })));
        const { interaction = '', form_token = '' } = opened.fields;
        pages.push(
          [page.statusCode, page.body]
            .join(' ')
            .replaceAll(interaction, '')
            .replaceAll(form_token, '')
            .replaceAll(username, ''),
        );
      });
      return work;
    };
    const unknown = 'DSNP9999';
    await ask('DSNP8888', 'the first request of an instance sets things up');
    pages.length = 0;
    const work = [
      await ask(theMember.memberId, 'wrong password, long enough'),
      await ask(unknown, 'wrong password, long enough'),
      await ask('nobody@example.org', 'wrong password, long enough'),
      await ask(theMember.memberId, 'x'),
      await ask(unknown, 'x'),
      await ask(uncoveredName(), theMember.password),
    ];
    for (const each of work) expect(each).toEqual(work[0]);
    for (const each of pages) expect(each).toBe(pages[0]);
  });
});
