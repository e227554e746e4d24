import { expect } from 'vitest';
import type { JobsWorld } from './jobs-world.ts';

export interface Manifest {
  readonly request: string;
  readonly output: readonly { readonly type: string; readonly url: string; readonly count: number }[];
  readonly error: Manifest['output'];
}

export const asynchronous = { Prefer: 'respond-async' };

/** The part of an address after the interface's base. */
export const relative = (url: string) =>
  url.replace('https://dsnp.api.sandbox.example.org/extfhirpayeraccess/v1/', '');

/** A payer's client, which begins jobs, polls them, and downloads their files by redirects. */
export function createJobsClient(world: () => JobsWorld) {
  return {
    /**
     * Begins a job.
     *
     * @returns the address of its status, relative to the interface's base
     */
    async begin(body: string, path = 'Group/$bulk-member-match'): Promise<string> {
      const answer = await world().call({ method: 'POST', path, body, headers: asynchronous });
      expect(answer.statusCode, answer.body).toBe(202);
      return relative(String(answer.headers?.['Content-Location']));
    },
    async manifestOf(job: string): Promise<Manifest> {
      const answer = await world().call({ path: job });
      expect(answer.statusCode, answer.body).toBe(200);
      return JSON.parse(answer.body);
    },
    /** Downloads the first file of a type and returns its text. */
    async download(files: Manifest['output'], type: string): Promise<string> {
      const [file] = files.filter((each) => each.type === type);
      const answer = await world().call({ path: relative(file?.url ?? '') });
      expect(answer.statusCode, answer.body).toBe(307);
      const { pathname } = new URL(String(answer.headers?.Location));
      return world().text(pathname.replace(/^\/(jobs\/)?/, ''));
    },
  };
}
