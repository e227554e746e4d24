/** Self-test that another payer's developer runs against the sandbox. The portal publishes it as one file, `payer-check.mjs`. */

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { JWK } from 'jose';
import { interfaces } from '../../lambdas/catalog/fhir/interfaces.ts';
import { type LineOfBusiness, parseLineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { UsageError } from '../command-line/command-line.ts';
import { table } from '../command-line/table.ts';
import { createHttp, type HttpResponse } from '../http/client.ts';
import { accessChecks } from './access-checks.ts';
import type { PayerCheck } from './check.ts';
import { jobChecks } from './job-checks.ts';
import { matchChecks } from './match-checks.ts';
import { type OwnRequest, tryOwnRequest } from './own-request.ts';
import { createPartner, type Partner } from './partner.ts';
import type { PartnerCredentials } from './partner-calls.ts';

/** The checks, in the order in which a partner implements the interface. */
export const payerChecks: readonly PayerCheck[] = [...accessChecks, ...matchChecks, ...jobChecks];

/** Result of a check. */
export interface PayerVerdict {
  readonly name: string;
  readonly section: string;
  readonly isPassed: boolean;
  /** Expected and received, if the check failed. */
  readonly reason?: string;
}

/**
 * Runs the checks one after the other.
 *
 * @param stopsAtCause whether to stop at a failed check on which all later ones depend, such as the token request.
 */
export async function runPayerChecks(
  partner: Partner,
  report: (verdict: PayerVerdict) => void = () => {},
  stopsAtCause = false,
): Promise<readonly PayerVerdict[]> {
  const verdicts: PayerVerdict[] = [];
  for (const { name, section, run, isPrerequisite = false } of payerChecks) {
    const verdict: PayerVerdict = await run(partner).then(
      () => ({ name, section, isPassed: true }),
      (error: unknown) => ({
        name,
        section,
        isPassed: false,
        reason: error instanceof Error ? error.message : String(error),
      }),
    );
    verdicts.push(verdict);
    report(verdict);
    if (stopsAtCause && isPrerequisite && !verdict.isPassed) break;
  }
  return verdicts;
}

const help = `Self-test of Payer Access. It makes the calls of a client to one line of business in the sandbox, with
your credentials and the members that the sandbox has for it, and prints a report: what is expected, the
section of the guide, pass or FAIL. It takes a minute or two.

  node payer-check.mjs --base URL --key KEY --client ID --jwk FILE [--lob CODE] [--json]
  node payer-check.mjs … --match FILE | --bulk FILE

  --base    address of a line of business, such as https://dsnp.api.sandbox.example.org
  --key     subscription key
  --client  client ID
  --jwk     file with your private key as a JWK
  --lob     code of the line of business, if the address does not begin with it
  --json    prints the report as JSON
  --match   sends the file to Patient/$member-match as it is, instead of the checks, and explains the answer
  --bulk    the same with Group/$bulk-member-match: waits for the job, and prints its groups and errors

Exit codes: 0 each check passed or a member was matched, 1 not so, 2 invalid command line.`;

const options = {
  base: { type: 'string' },
  key: { type: 'string' },
  client: { type: 'string' },
  jwk: { type: 'string' },
  lob: { type: 'string' },
  json: { type: 'boolean' },
  match: { type: 'string' },
  bulk: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
type Options = ReturnType<typeof parse>;

/**
 * Joins an option to a value that begins with a dash: `--key -Ab1` becomes `--key=-Ab1`, which `parseArgs` accepts. One of 64 random keys
 * begins with a dash. The name of another option is never a value.
 */
function joinValues(args: readonly string[]): string[] {
  const named = new Map(Object.entries(options).map(([name, { type }]) => [`--${name}`, type]));
  const joined: string[] = [];
  for (const word of args) {
    const before = joined.at(-1) ?? '';
    const isValue = word.startsWith('-') && !named.has(word.split('=', 1)[0] ?? '');
    if (isValue && named.get(before) === 'string') joined[joined.length - 1] = `${before}=${word}`;
    else joined.push(word);
  }
  return joined;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: joinValues(args), options, strict: true }).values;
  } catch (error) {
    throw new UsageError(
      error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'The command line cannot be read.',
    );
  }
}

/**
 * Runs the program `payer-check.mjs`.
 *
 * @returns 0: all checks passed, 1: one failed, 2: invalid command line
 */
export async function payerCheckProgram(
  args: readonly string[],
  { out, err }: { readonly out: (text: string) => void; readonly err: (text: string) => void },
): Promise<0 | 1 | 2> {
  try {
    const values = parse(args);
    if (values.help !== true) return await check(values, out);
    out(help);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    err(`${error.message}\n(--help shows the options)`);
    return 2;
  }
}

async function check(values: Options, print: (text: string) => void): Promise<0 | 1> {
  const partner = createPartner(credentialsFrom(values), {
    http: createHttp(),
    download,
    wait: async (seconds) => void (await sleep(seconds * 1000)),
  });
  const isJson = values.json === true;
  const own = ownRequestOf(values);
  if (own !== undefined) {
    const { isMatched, lines } = await tryOwnRequest(partner, own.kind, own.text);
    print(isJson ? JSON.stringify({ isMatched, lines }, undefined, 2) : lines.join('\n'));
    return isMatched ? 0 : 1;
  }
  const printVerdict = (verdict: PayerVerdict) => {
    if (!isJson) print(lineOf(verdict));
  };
  const verdicts = await runPayerChecks(partner, printVerdict, true);
  const failed = verdicts.filter(({ isPassed }) => !isPassed);
  const passed = verdicts.length - failed.length;
  if (isJson) {
    const notRun = payerChecks.length - verdicts.length;
    print(JSON.stringify({ passed, failed: failed.length, notRun, checks: verdicts }, undefined, 2));
  } else {
    const rows = failed.map(({ name, section }) => [name, section]);
    if (failed.length > 0) print(`\n${table(['FAILED', 'SECTION'], rows)}`);
    print(`\n${passed} of ${payerChecks.length} checks passed`);
    if (verdicts.length < payerChecks.length)
      print('The others were not run: none of them can pass before the failed one does.');
  }
  return failed.length === 0 ? 0 : 1;
}

function lineOf({ name, section, isPassed, reason }: PayerVerdict): string {
  const line = `${isPassed ? 'pass' : 'FAIL'}  ${name}  (${section})`;
  return reason === undefined ? line : `${line}\n      ${reason}`;
}

function credentialsFrom({ base, key, client, jwk, lob }: Options): PartnerCredentials {
  if (base === undefined || key === undefined || client === undefined || jwk === undefined) {
    throw new UsageError('--base, --key, --client and --jwk are required');
  }
  const address = fhirBaseOf(base);
  return {
    base: address,
    lob: lineOfBusinessOf(address, lob),
    ...{ subscriptionKey: key, clientId: client, jwk: readJwk(jwk) },
  };
}

/** The FHIR base URL, even if only the host is given. */
function fhirBaseOf(text: string): string {
  if (!URL.canParse(text))
    throw new UsageError('--base must be an address such as https://dsnp.api.sandbox.example.org');
  const address = text.replace(/\/+$/, '');
  const { basePath } = interfaces['payer-access'];
  return address.endsWith(basePath) ? address : `${address}${basePath}`;
}

/** The line of business, from `--lob` or from the beginning of the host name. */
function lineOfBusinessOf(base: string, given: string | undefined): LineOfBusiness {
  const found = parseLineOfBusiness(given ?? new URL(base).hostname.split('.', 1)[0] ?? '');
  if (found === undefined)
    throw new UsageError('the host does not begin with a line of business; give --lob');
  return found;
}

/** The partner's own request, which is sent instead of running the checks. */
function ownRequestOf({
  match,
  bulk,
}: Options): { readonly kind: OwnRequest; readonly text: string } | undefined {
  if (match !== undefined && bulk !== undefined) throw new UsageError('give --match or --bulk, not both');
  const file = match ?? bulk;
  if (file === undefined) return undefined;
  try {
    return { kind: match === undefined ? 'bulk' : 'match', text: readFileSync(file, 'utf8') };
  } catch {
    throw new UsageError(`--${match === undefined ? 'bulk' : 'match'}: ${file} can not be read`);
  }
}

function readJwk(file: string): JWK {
  try {
    const jwk = JSON.parse(readFileSync(file, 'utf8')) as JWK;
    if (typeof jwk.kty === 'string' && typeof jwk.d === 'string') return jwk;
  } catch {
    // The error below says what is expected.
  }
  throw new UsageError(`--jwk: ${file} is not a private key as a JWK`);
}

/** Downloads a file. `fetch` decompresses the body, but keeps the headers of the compressed one. */
async function download(url: string): Promise<HttpResponse> {
  const response = await fetch(url);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}
