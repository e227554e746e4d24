import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpCall } from '../../portal-static/pages/sandbox/http-call.ts';
import {
  type SampleLanguage,
  sampleLanguageNames,
  sampleLanguages,
  sampleOf,
} from '../../portal-static/pages/sandbox/sample-model.ts';

/** Runs each sample program as a developer would, and compares what arrives to what the page sent. */

interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server;
let directory: string;
let received: Received[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sample-programs-'));
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url: path, headers } = request;
    received.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
    const status = headers['x-api-subscription-key'] === 'refused' ? 403 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"answer":"as it came"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await new Promise((resolve) => server.close(resolve));
});

const has = (command: string, ...words: string[]) => spawnSync(command, words).status === 0;
const run = promisify(execFile);

/** The command that runs a language's file. */
interface Runtime {
  readonly isHere: () => boolean;
  readonly run: (file: string) => Promise<{ readonly stdout: string }>;
}

const runtimes: Readonly<Record<SampleLanguage, Runtime>> = {
  curl: { isHere: () => has('curl', '--version'), run: (file) => run('sh', [file]) },
  javascript: { isHere: () => true, run: (file) => run(process.execPath, [file]) },
  python: { isHere: () => has('python3', '--version'), run: (file) => run('python3', [file]) },
  // The command compiles what it runs, so a Java runtime without a compiler does not count.
  java: {
    isHere: () => has('java', '--list-modules') && has('java', '--describe-module', 'jdk.compiler'),
    run: (file) => run('java', [file]),
  },
  csharp: {
    isHere: () => has('mcs', '--version') && has('mono', '--version'),
    run: async (file) => {
      await run('mcs', ['-r:System.Net.Http', `-out:${file}.exe`, file]);
      return await run('mono', [`${file}.exe`]);
    },
  },
  swift: { isHere: () => has('swift', '--version'), run: (file) => run('swift', [file]) },
  kotlin: {
    isHere: () => has('kotlinc', '-version'),
    run: async (file) => {
      await run('kotlinc', [file, '-include-runtime', '-d', `${file}.jar`]);
      return await run('java', ['-jar', `${file}.jar`]);
    },
  },
};

const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const calls: Readonly<Record<string, () => HttpCall>> = {
  'a read': () => ({
    title: 'Read',
    method: 'GET',
    url: `${origin()}/v1/Patient/p%201?_format=json&a=$1`,
    headers: {
      accept: 'application/fhir+json',
      authorization: 'Bearer tok.en-1_~',
      'x-api-subscription-key': 'key',
    },
  }),
  'a JSON body': () => ({
    title: 'Token',
    method: 'POST',
    url: `${origin()}/token`,
    headers: { 'content-type': 'application/json', authorization: 'Basic YTpiIg==' },
    body: { resourceType: 'Parameters', id: `a"b'c\\d$e{f}` },
  }),
  'a form, refused': () => ({
    title: 'Machine token',
    method: 'POST',
    url: `${origin()}/token/v2`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-api-subscription-key': 'refused',
    },
    body: { grant_type: 'client_credentials', client_secret: 's/&=$ecret', scope: 'r/.default' },
  }),
};

describe.each(sampleLanguageNames)('the program in %s', (language) => {
  const { isHere, run: start } = runtimes[language];
  const here = isHere();
  // The test is listed as skipped on a machine without the language.
  const title = here ? 'sends $name and prints the answer' : `is not run for $name: no ${language} here`;
  it.skipIf(!here).each(Object.entries(calls).map(([name, call]) => ({ name, call })))(
    title,
    async ({ call: made }) => {
      const call = made();
      received = [];
      const file = join(directory, sampleLanguages[language].file);
      writeFileSync(file, sampleOf(language, call));
      const { stdout } = await start(file);
      const refused = call.headers['x-api-subscription-key'] === 'refused';
      expect(stdout).toContain(refused ? '403' : '200');
      expect(stdout).toContain('{"answer":"as it came"}');
      const { pathname, search } = new URL(call.url);
      expect(received).toHaveLength(1);
      expect(received[0]).toMatchObject({ method: call.method, path: `${pathname}${search}` });
      expect(received[0]?.headers).toMatchObject(call.headers);
      const sent =
        call.headers['content-type'] === 'application/json'
          ? JSON.stringify(call.body)
          : new URLSearchParams(call.body).toString();
      expect(received[0]?.body).toBe(call.body === undefined ? '' : sent);
    },
  );
});
