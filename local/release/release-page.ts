/** `/release` of the machine's own address: begins a release, and tells how it goes. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { AssemblyError } from '../assembly/assembly-error.ts';
import type { HttpHost } from '../gateway/server.ts';
import { CommandFailed } from '../run-node.ts';
import { NotReleasable } from './changed-stacks.ts';
import type { ReleaseOutcome } from './release.ts';

/** State of the last release. */
export interface ReleaseState {
  readonly outcome: ReleaseOutcome | 'under way' | 'refused' | 'none';
  /** A line for each event so far. */
  readonly lines: readonly string[];
}

export interface ReleasePageDeps {
  /** Carries out a release, with a line of business to begin with. */
  readonly release: (first: string | undefined, tell: (line: string) => void) => Promise<ReleaseOutcome>;
  readonly log: (line: string) => void;
}

/**
 * `POST /release?first=EGWP` begins a release of the working tree, and `GET /release` returns its state as JSON (`ReleaseState`). One release
 * runs at a time. Pages of other origins are refused, because a browser sends their requests to this machine too.
 *
 * @param front serves all other paths.
 */
export function releasePage({ release, log }: ReleasePageDeps, front: HttpHost): HttpHost {
  let outcome: ReleaseState['outcome'] = 'none';
  let lines: string[] = [];

  async function begin(first: string | undefined): Promise<void> {
    outcome = 'under way';
    lines = [];
    const tell = (line: string) => {
      lines.push(line);
      log(`release: ${line}`);
    };
    try {
      outcome = await release(first, tell);
    } catch (error) {
      const { message, stack = message } = error as Error;
      const isKnown = [NotReleasable, AssemblyError, CommandFailed].some((type) => error instanceof type);
      tell(isKnown ? message : stack);
      outcome = 'refused';
    }
  }

  function answer({ method, headers }: IncomingMessage, { searchParams }: URL): number {
    if (headers.origin !== undefined) return 403;
    if (method === 'GET') return 200;
    if (method !== 'POST') return 405;
    if (outcome === 'under way') return 409;
    void begin(searchParams.get('first') ?? undefined);
    return 202;
  }

  return {
    handle(incoming: IncomingMessage, outgoing: ServerResponse) {
      const url = URL.parse(incoming.url ?? '/', 'http://localhost');
      if (url?.pathname !== '/release') {
        front.handle(incoming, outgoing);
        return;
      }
      incoming.resume();
      const status = answer(incoming, url);
      outgoing.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      outgoing.end(JSON.stringify({ outcome, lines } satisfies ReleaseState));
    },
  };
}
