import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOps } from '../../../ops/program.ts';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Sent {
  /** Path of the invocation, which has the function's name. */
  readonly path: string;
  readonly payload: Record<string, unknown>;
}

type Answer = { readonly status?: number; readonly functionError?: boolean; readonly body: unknown };

/** A Lambda endpoint that gives planned answers and records requests, and the command line configured for it. */
export interface LambdaDouble {
  readonly sent: Sent[];
  /** Sets the next answers in their order; the last one is repeated. */
  answer(...answers: readonly Answer[]): void;
  ops(...args: string[]): Promise<Ended>;
  stop(): Promise<void>;
}

export async function startLambdaDouble(): Promise<LambdaDouble> {
  const directory = mkdtempSync(join(tmpdir(), 'ops-'));
  const sent: Sent[] = [];
  let answers: Answer[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      sent.push({ path: request.url ?? '', payload: JSON.parse(body) });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      const failed = answer?.functionError === true ? { 'x-amz-function-error': 'Unhandled' } : {};
      response.writeHead(answer?.status ?? 200, failed).end(JSON.stringify(answer?.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const systemFile = join(directory, 'system.json');
  const environment = { provisioning: 'provisioning', ingest: 'ingest' };
  const system = {
    port,
    awsEndpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local-operator', secretAccessKey: 'local' },
    functions: {
      sandbox: environment,
      production: environment,
      portal: { applicationOperations: 'portal-operations-of-commands' },
    },
  };
  writeFileSync(systemFile, JSON.stringify(system));
  return {
    sent,
    answer(...given) {
      answers = [...given];
    },
    async ops(...args) {
      const out: string[] = [];
      const err: string[] = [];
      const terminal = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
      const code = await runOps([...args, '--system', systemFile], { USER: 'ida' }, terminal);
      return { code, out: out.join('\n'), err: err.join('\n') };
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true });
    },
  };
}
