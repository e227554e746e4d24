import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { StatusView } from '../../lambdas/portal/api/status-view.ts';
import { markedSignedIn, signedInMarker, unmarkedSignedIn } from '../../lambdas/portal/catalog/cookies.ts';
import { portalPages } from '../../lambdas/portal/catalog/pages.ts';
import { type PortalRouteName, portalRoutes } from '../../lambdas/portal/catalog/portal-routes.ts';
import type { ProblemCode } from '../../lambdas/portal/catalog/problems.ts';
import { portalProblems } from '../../lambdas/portal/catalog/problems.ts';

/**
 * Serves the built site as CloudFront does (`portalPages`) and answers the API as a test scripts it, by the route's name, so that pages can
 * be tested without a system.
 */
export interface SiteServer {
  readonly origin: string;
  /** Every call to the API so far: the route and the body. */
  readonly calls: { readonly route: PortalRouteName; readonly body: unknown; readonly query: string }[];
  /** Sets the answer of a route. */
  answer(route: PortalRouteName, answer: ScriptedAnswer | ((body: never) => ScriptedAnswer)): void;
  /** Deletes scripted answers and recorded calls. After it the bot check passes, and nobody is signed in. */
  reset(): void;
  close(): Promise<void>;
}

export type ScriptedAnswer =
  | { readonly status?: number; readonly body?: unknown; readonly delayMilliseconds?: number }
  | { readonly problem: ProblemCode; readonly more?: object; readonly delayMilliseconds?: number }
  /** The connection breaks without an answer. */
  | { readonly broken: true; readonly delayMilliseconds?: number };

/** A Content-Security-Policy as strict as the distribution's. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types portal',
].join('; ');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};

/** A status without measurements and incidents. */
const quietStatus: StatusView = {
  checkedAt: '2026-11-20T10:00:00Z',
  parts: [],
  data: [],
  directories: [],
  incidents: [],
};

type Script = (body: never) => ScriptedAnswer;

export async function openSite(directory: string): Promise<SiteServer> {
  const calls: { route: PortalRouteName; body: unknown; query: string }[] = [];
  const scripts = new Map<PortalRouteName, Script>();
  let isSignedIn = false;
  const answer: SiteServer['answer'] = (route, it) => {
    scripts.set(route, typeof it === 'function' ? it : () => it);
    if (route !== 'account') return;
    isSignedIn = typeof it === 'function' || !('problem' in it) || it.problem !== 'signed_out';
  };
  // Marks the browser as signed in or not. The API does it when a session begins or ends; here every answer does.
  const mark = (response: ServerResponse) =>
    response.setHeader('set-cookie', isSignedIn ? markedSignedIn : unmarkedSignedIn);
  const reset = () => {
    calls.length = 0;
    scripts.clear();
    answer('account', { problem: 'signed_out' });
    answer('status', { body: quietStatus });
    answer('botCheck', { body: { provider: 'altcha', challenge: easyChallenge } });
  };
  reset();
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://portal.test');
    if (!pathname.startsWith('/api/')) {
      mark(response);
      const signedIn = request.headers.cookie?.includes(`${signedInMarker}=`) === true;
      return sendFile(directory, fileOf(pathname, signedIn), response);
    }
    const route = routeOf(request.method ?? 'GET', pathname);
    const body = await bodyOf(request);
    if (route === undefined) return send(response, problem('not_found'));
    calls.push({ route, body, query: search });
    const script = scripts.get(route);
    const scripted = script === undefined ? problemOf(route) : script(body as never);
    mark(response);
    return await reply(response, scripted);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    calls,
    answer,
    reset,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The answer of a route for which a test scripted none; it says so. */
const problemOf = (route: PortalRouteName): ScriptedAnswer => ({
  problem: 'defect',
  more: { detail: `no answer was scripted for ${route}` },
});

async function reply(response: ServerResponse, it: ScriptedAnswer): Promise<void> {
  if (it.delayMilliseconds !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, it.delayMilliseconds));
  }
  if ('broken' in it) response.destroy();
  else if ('problem' in it) send(response, problem(it.problem, it.more));
  else send(response, { status: it.status ?? 200, body: it.body, type: 'application/json' });
}

function problem(code: ProblemCode, more: object = {}) {
  const { status, title, fix } = portalProblems[code];
  const body = { type: `/docs/errors#${code}`, title, status, detail: fix, code, requestId: 'test', ...more };
  return { status, body, type: 'application/problem+json' };
}

function send(response: ServerResponse, it: { status: number; body: unknown; type: string }): void {
  if (it.body === undefined) {
    response.writeHead(204).end();
    return;
  }
  response.writeHead(it.status, { 'content-type': it.type }).end(JSON.stringify(it.body));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : JSON.parse(text);
}

function routeOf(method: string, path: string): PortalRouteName | undefined {
  const found = Object.entries(portalRoutes).find(
    ([, route]) => route.method === method && pattern(route.path).test(path),
  );
  return found?.[0] as PortalRouteName | undefined;
}

const pattern = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

function sendFile(directory: string, { file, missing }: Found, response: ServerResponse): void {
  const read = tryRead(join(directory, file));
  const headers = { 'content-security-policy': contentSecurityPolicy, 'x-content-type-options': 'nosniff' };
  if (read === undefined) {
    const page = readFileSync(join(directory, missing));
    response.writeHead(404, { ...headers, 'content-type': types['.html'] }).end(page);
    return;
  }
  response.writeHead(200, { ...headers, 'content-type': types[extname(file)] ?? 'text/plain' }).end(read);
}

interface Found {
  readonly file: string;
  /** The page that is sent if the file does not exist. */
  readonly missing: string;
}

/** The file of a path: an asset, a page, or for the application's views the application page. */
function fileOf(path: string, signedIn: boolean): Found {
  const folder = signedIn ? portalPages.signedInFolder : '/';
  const missing = join(folder, portalPages.notFoundFile);
  if (extname(path) !== '') return { file: path, missing };
  const application = portalPages.application.some((it) => path === it || path.startsWith(`${it}/`));
  if (application) return { file: portalPages.applicationFile, missing };
  return { file: join(folder, path, 'index.html'), missing };
}

function tryRead(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** A challenge of ALTCHA that any key solves, since its prefix is empty. */
const easyChallenge = {
  parameters: {
    algorithm: 'PBKDF2/SHA-256',
    nonce: '00112233445566778899aabbccddeeff',
    salt: 'ffeeddccbbaa99887766554433221100',
    cost: 1,
    keyLength: 32,
    keyPrefix: '00',
  },
  signature: 'test',
};
