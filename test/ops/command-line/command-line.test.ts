import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environments } from '../../../lambdas/catalog/environments.ts';
import type { Terminal } from '../../../ops/command-line/terminal.ts';
import { runDemo } from '../../../ops/demo/program.ts';
import { syntheticMembers } from '../../../ops/generator/members.ts';
import { splitMemberLoad } from '../../../ops/member-parts.ts';
import { runOps } from '../../../ops/program.ts';

/** Number of invocations that the load of both environments' members takes. */
const parts = environments
  .flatMap((environment) => syntheticMembers(environment))
  .flatMap((member) => splitMemberLoad(member)).length;

const root = join(import.meta.dirname, '..', '..', '..');

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program and returns its exit code and what it printed. */
async function onTerminal(program: (terminal: Terminal) => Promise<number>): Promise<Ended> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await program({ out: (text) => out.push(text), err: (text) => err.push(text) });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describe('the operator’s command line', () => {
  let directory: string;
  let server: Server;
  let systemFile: string;
  /** The answer of the Lambda endpoint; `sent` has the requests it received. */
  let answer: { status?: number; functionError?: boolean; body: unknown };
  /** Number of invocations that first end by the function's timeout. */
  let timeouts = 0;
  const sent: { readonly path: string; readonly payload: Record<string, unknown> }[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'ops-'));
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += String(chunk);
      });
      request.on('end', () => {
        sent.push({ path: request.url ?? '', payload: body === '' ? {} : JSON.parse(body) });
        const {
          status = 200,
          functionError,
          body: content,
        } = timeouts > 0 ? { functionError: true, body: { errorMessage: 'Task timed out' } } : answer;
        timeouts -= 1;
        response.writeHead(status, { ...(functionError && { 'x-amz-function-error': 'Unhandled' }) });
        response.end(JSON.stringify(content));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const functions = (environment: string) => ({
      provisioning: `${environment}-provisioning`,
      ingest: `${environment}-ingest`,
    });
    systemFile = join(directory, 'system.json');
    const system = {
      port,
      awsEndpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local-operator', secretAccessKey: 'local' },
      functions: { sandbox: functions('sandbox'), production: functions('production') },
    };
    writeFileSync(systemFile, JSON.stringify(system));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(directory, { recursive: true });
  });

  const ops = (...args: string[]) =>
    onTerminal((terminal) => runOps([...args, '--system', systemFile], {}, terminal));
  const demo = (...args: string[]) => onTerminal((terminal) => runDemo(args, terminal));
  const register = ['clients', 'register', '--name', 'My app', '--lob', 'dsnp,MHBE'];

  it('registers a client in the environment asked for and shows its credentials and where to begin', async () => {
    const credentials = { clientId: 'client-1', clientSecret: 'secret-1', subscriptionKey: 'key-1' };
    answer = { body: { kind: 'credentials', credentials } };
    const redirect = ['--redirect-uri', 'https://a.example/cb', '--no-pkce'];
    const { code, out } = await ops(...register, ...redirect, '-e', 'production');
    expect(code).toBe(0);
    expect(out).toMatch(/client-1[\s\S]*secret-1[\s\S]*key-1/);
    expect(out).toContain('http://auth.production.localhost:');
    expect(sent.at(-1)?.path).toContain('production-provisioning');
    expect(sent.at(-1)?.payload.registration).toMatchObject({
      linesOfBusiness: ['DSNP', 'MHBE'],
      products: ['patient-access', 'payer-access', 'provider-directory'],
      grantTypes: ['authorization_code', 'client_credentials'],
      redirectUris: ['https://a.example/cb'],
      pkceRequired: false,
    });
  });

  it('shows a client with PKCE a challenge to begin with and the verifier that belongs to it', async () => {
    answer = {
      body: { kind: 'credentials', credentials: { clientId: 'client-1', subscriptionKey: 'key-1' } },
    };
    const { out } = await ops(...register, '--redirect-uri', 'https://a.example/cb', '--public');
    const verifier = /"code_verifier":"([\w-]{43})"/.exec(out)?.[1] ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    expect(out).toContain(`code_challenge=${challenge}&code_challenge_method=S256`);
  });

  it('shows the logged calls, and says so where the log was not read to the end of the page', async () => {
    const call = {
      time: 1_790_000_000_000,
      requestId: 'r1',
      host: 'h',
      method: 'GET',
      route: '/x',
      status: 200,
    };
    const next = { time: 1_790_000_000_000, requestId: 'r1' };
    answer = { body: { kind: 'calls', calls: [call], next } };
    const full = await ops('clients', 'calls', 'client-1', '--limit', '1');
    expect(full.out).toMatch(/^2026-09-21T\S+ +200 .*r1$/m);
    expect(full.out).not.toContain('slowly');
    const short = await ops('clients', 'calls', 'client-1');
    expect(short.out).toContain('read back to 2026-09-21T');
    answer = { body: { kind: 'calls', calls: [call] } };
    expect((await ops('clients', 'calls', 'client-1')).out).not.toContain('slowly');
  });

  it('registers a client by its own public keys, from a file or by their address', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'member-data-jwks-')), 'jwks.json');
    const jwks = { keys: [{ kty: 'EC', crv: 'P-384', kid: 'k', x: 'eA', y: 'eQ' }] };
    writeFileSync(file, JSON.stringify(jwks));
    const ofDryRun = async (...options: string[]) =>
      JSON.parse((await ops(...register, ...options, '--dry-run')).out).registration as object;
    const own = { tokenEndpointAuthMethod: 'private_key_jwt' };
    expect(await ofDryRun('--jwks', file)).toMatchObject({ ...own, jwks });
    const jwksUri = 'https://app.example.com/jwks';
    expect(await ofDryRun('--jwks-uri', jwksUri)).toMatchObject({ ...own, jwksUri });
    writeFileSync(file, 'no JSON');
    expect((await ops(...register, '--jwks', file)).code).toBe(2);
    expect((await ops(...register, '--jwks-uri', jwksUri, '--public')).code).toBe(2);
  });

  it('sends nothing on a dry run', async () => {
    const before = sent.length;
    const { code, out } = await ops(...register, '--dry-run');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ action: 'register', registration: { clientName: 'My app' } });
    expect(sent).toHaveLength(before);
  });

  it('ends with 1 when it is refused, and says why', async () => {
    answer = { body: { kind: 'refusal', refusal: { code: 'state_conflict', state: 'revoked' } } };
    expect(await ops('clients', 'suspend', 'client-1')).toEqual({
      code: 1,
      out: 'refused: the client is revoked',
      err: '',
    });
    answer = {
      body: { kind: 'refusal', code: 'invalid_request', issues: [{ path: 'email', message: 'is taken' }] },
    };
    const { code, out } = await ops('members', 'load');
    expect(code).toBe(1);
    expect(out).toContain('email: is taken');
    expect(out).toContain('0 of 54 members loaded');
  });

  it('ends with 3 when the outcome is unknown, and says how to repeat the very same act', async () => {
    answer = { functionError: true, body: { errorMessage: 'it broke' } };
    const { code, err } = await ops('clients', 'suspend', 'client-1', '--request-id', 'request-1');
    expect(code).toBe(3);
    expect(err).toMatch(/it broke[\s\S]*--request-id request-1/);
  });

  it.each([
    [['clients', 'destroy', 'x'], 'use register'],
    [['clients', 'suspend'], 'expected: clients suspend <client id>'],
    [['clients', 'suspend', 'client-1', '--lob', 'DSNP'], 'has no option --lob'],
    [['keys', 'rotate', '--lob', 'DSNP', '--dry-run'], 'keys rotate has no option --dry-run'],
    [['loads', 'list', '--lob', 'DSNP', '--dry-run'], 'loads list has no option --dry-run'],
    [['clients', 'register', '--name', 'x'], '--lob is missing'],
    [['clients', 'register', '--lob', 'DSNP'], '--name is missing'],
    [['clients', 'register', '--name', 'x', '--lob', 'XXXX'], '--lob must be one of CHPDC'],
    [['clients', 'register', '--name', 'x', '--lob', 'DSNP', '--grant', 'magic'], 'grantTypes.0: expected'],
    [['clients', 'rotate-key', 'client-1', '--overlap-seconds', 'soon'], 'whole number'],
    [['clients', 'describe', 'client-1', '-e', 'test'], '--environment must be one of'],
    [['clients', 'describe', 'client-1', '--colour'], '--colour'],
    [['members', 'load', '--file', '/no/such/file'], "can't be read"],
    [['dance'], 'dance is not a command'],
    [[], 'no command given'],
  ])('ends with 2 for %j', async (args, said) => {
    const before = sent.length;
    const { code, err, out } = await ops(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(said);
    expect(sent).toHaveLength(before);
  });

  it('loads members from a file and names the line that is wrong', async () => {
    answer = { body: { kind: 'loaded', patientId: 'p', resources: 1 } };
    const file = join(directory, 'members.ndjson');
    writeFileSync(file, '{"lob":"DSNP"}\n');
    const { code, err } = await ops('members', 'load', '--file', file);
    expect(code).toBe(2);
    expect(err).toMatch(/line 1: .*memberId/);
    writeFileSync(file, '\n{"lob":"DSNP","memberId":"DSNP12345678","memberId":"DSNP87654321"}\n');
    const twice = await ops('members', 'load', '--file', file);
    expect(twice).toMatchObject({
      code: 2,
      err: expect.stringContaining('line 2: an object has a name twice'),
    });
  });

  it('seeds both environments and prints the members and their passwords last', async () => {
    answer = { body: { kind: 'loaded', patientId: 'p', resources: 1 } };
    const before = sent.length;
    const { code, out } = await ops('seed');
    expect(code).toBe(0);
    expect(sent.length - before).toBe(parts);
    expect(out.split('\n')).toHaveLength(2 + 12 + 18);
    expect(out).toContain('CHPDC27779905');
  });

  it('sends a part again whose function ran out of time, and gives up after five times', async () => {
    answer = { body: { kind: 'loaded', patientId: 'p', resources: 1 } };
    timeouts = 4;
    const before = sent.length;
    expect((await ops('seed')).code).toBe(0);
    expect(sent.length - before).toBe(parts + 4);
    timeouts = Number.POSITIVE_INFINITY;
    const { code, err } = await ops('seed');
    timeouts = 0;
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('Task timed out') });
  });

  it('says what was refused where not everything could be seeded, and shows no members then', async () => {
    answer = {
      body: { kind: 'refusal', code: 'invalid_request', issues: [{ path: 'email', message: 'another' }] },
    };
    const { code, out } = await ops('seed');
    expect(code).toBe(1);
    expect(out).toMatch(/^refused: production DSNP \S+ email: another$/m);
    expect(out.split('\n').at(-1)).toBe(
      'Some members were not loaded: refused 12 of sandbox, 18 of production',
    );
    expect(out).not.toContain('password');
  });

  it('puts no synthetic member into a deployed production', async () => {
    const args = ['members', 'load', '-e', 'production', '--function', 'f', '--system', '/no/such/file'];
    expect(await onTerminal((terminal) => runOps(args, {}, terminal))).toMatchObject({ code: 2 });
  });

  it('says errors to a program as JSON, and calls functions as the documentation does', async () => {
    answer = { functionError: true, body: { errorMessage: 'Task timed out' } };
    const lost = await ops('clients', 'describe', 'client-1', '--json');
    expect({ code: lost.code, out: lost.out }).toEqual({ code: 3, out: '' });
    expect(JSON.parse(lost.err)).toEqual({
      error: 'outcome_unknown',
      message: 'provisioning of sandbox failed: Task timed out',
    });
    const arn = 'arn:aws:lambda:us-east-1:123456789012:function:member-data-provisioning:live';
    const named = await ops('clients', 'describe', 'client-1', '--function', arn);
    expect(named.err).toBe('member-data-provisioning failed: Task timed out');
    const wrong = await ops('clients', 'describe', '--json');
    expect(wrong.code).toBe(2);
    expect(JSON.parse(wrong.err)).toMatchObject({ error: 'invalid_command_line' });
  });

  it('explains itself', async () => {
    expect((await ops('--help')).out).toContain('Exit code');
    expect((await ops('clients', 'register', '--help')).out).toContain('--redirect-uri');
    expect((await demo('--help')).out).toContain('--all');
  });

  it('gives its exit code to the shell', () => {
    for (const program of ['ops/main.ts', 'ops/demo/main.ts']) {
      const { status, stderr } = spawnSync(process.execPath, [program, '--colour'], { cwd: root });
      expect({ status, said: String(stderr).includes('--colour') }).toEqual({ status: 2, said: true });
    }
  });

  it('runs a demo that fails loudly where the service answers otherwise than promised', async () => {
    answer = { status: 500, body: { broken: true } };
    const { code, err } = await demo('--system', systemFile);
    expect(code).toBe(1);
    expect(err).toContain('FAILED sandbox DSNP');
    expect(err).toMatch(/expected 200, received 500/);
    expect((await demo('--system', '/no/such/file')).code).toBe(2);
    expect((await demo('--lob', 'XXXX', '--system', systemFile)).code).toBe(2);
  });
});
