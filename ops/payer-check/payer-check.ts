/** Command `payer check`: the self-test that another payer's developer runs against the sandbox. */

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JWK } from 'jose';
import { interfaces } from '../../lambdas/catalog/interfaces.ts';
import { type LineOfBusiness, parseLineOfBusiness } from '../../lambdas/catalog/lines-of-business.ts';
import { allowOnly, type OptionValues, UsageError } from '../command-line.ts';
import { createHttp, type HttpResponse } from '../http/client.ts';
import { table } from '../table.ts';
import type { ExitCode } from '../terminal.ts';
import { accessChecks } from './access-checks.ts';
import type { PayerCheck } from './check.ts';
import { jobChecks } from './job-checks.ts';
import { matchChecks } from './match-checks.ts';
import { createPartner, type Partner } from './partner.ts';
import type { PartnerCredentials } from './partner-calls.ts';

/** The checks, in the order of a partner's work. */
export const payerChecks: readonly PayerCheck[] = [...accessChecks, ...matchChecks, ...jobChecks];

/** Verdict of a check. */
export interface PayerVerdict {
  readonly name: string;
  readonly section: string;
  readonly isPassed: boolean;
  /** Expected and received, if it failed. */
  readonly reason?: string;
}

/** Runs the checks one after the other. */
export async function runPayerChecks(
  partner: Partner,
  report: (verdict: PayerVerdict) => void = () => {},
): Promise<readonly PayerVerdict[]> {
  const verdicts: PayerVerdict[] = [];
  for (const { name, section, run } of payerChecks) {
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
  }
  return verdicts;
}

/** `payer check`. It needs no system and no operator's rights: only the address and credentials of a sandbox application. */
export async function payerCommand(
  verb: string,
  { values, print }: { readonly values: OptionValues; readonly print: (text: string) => void },
): Promise<ExitCode> {
  if (verb !== 'check') throw new UsageError(`payer ${verb} is not a command; use check`);
  allowOnly(values, ['base', 'key', 'client', 'jwk', 'lob', 'json', 'help'], 'payer check');
  const partner = createPartner(credentialsFrom(values), {
    http: createHttp(),
    download,
    wait: async (seconds) => void (await sleep(seconds * 1000)),
  });
  const isJson = values.json === true;
  const verdicts = await runPayerChecks(partner, (verdict) => {
    if (!isJson) print(lineOf(verdict));
  });
  const failed = verdicts.filter(({ isPassed }) => !isPassed);
  if (isJson)
    print(
      JSON.stringify(
        { passed: verdicts.length - failed.length, failed: failed.length, checks: verdicts },
        undefined,
        2,
      ),
    );
  else {
    if (failed.length > 0)
      print(
        `\n${table(
          ['FAILED', 'SECTION'],
          failed.map(({ name, section }) => [name, section]),
        )}`,
      );
    print(`\n${verdicts.length - failed.length} of ${verdicts.length} checks passed`);
  }
  return failed.length === 0 ? 0 : 1;
}

function lineOf({ name, section, isPassed, reason }: PayerVerdict): string {
  const line = `${isPassed ? 'pass' : 'FAIL'}  ${name}  (${section})`;
  return reason === undefined ? line : `${line}\n      ${reason}`;
}

function credentialsFrom({ base, key, client, jwk, lob }: OptionValues): PartnerCredentials {
  if (base === undefined || key === undefined || client === undefined || jwk === undefined) {
    throw new UsageError('payer check needs --base, --key, --client and --jwk');
  }
  const address = fhirBaseOf(base);
  return {
    base: address,
    lob: lineOfBusinessOf(address, lob?.[0]),
    ...{ subscriptionKey: key, clientId: client, jwk: readJwk(jwk) },
  };
}

/** The FHIR base, also where the host alone is given. */
function fhirBaseOf(text: string): string {
  if (!URL.canParse(text))
    throw new UsageError('--base must be an address such as https://dsnp.api.sandbox.example.org');
  const address = text.replace(/\/+$/, '');
  const { basePath } = interfaces['payer-access'];
  return address.endsWith(basePath) ? address : `${address}${basePath}`;
}

/** The line of business of `--lob`, or the one that the host begins with. */
function lineOfBusinessOf(base: string, given: string | undefined): LineOfBusiness {
  const found = parseLineOfBusiness(given ?? new URL(base).hostname.split('.', 1)[0] ?? '');
  if (found === undefined)
    throw new UsageError('the host does not begin with a line of business; give --lob');
  return found;
}

function readJwk(file: string): JWK {
  try {
    const jwk = JSON.parse(readFileSync(file, 'utf8')) as JWK;
    if (typeof jwk.kty === 'string' && typeof jwk.d === 'string') return jwk;
  } catch {
    // The message below says what is expected.
  }
  throw new UsageError(`--jwk: ${file} is not a private key as a JWK`);
}

/** A file from storage. `fetch` decompresses it, and leaves its headers. */
async function download(url: string): Promise<HttpResponse> {
  const response = await fetch(url);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}
