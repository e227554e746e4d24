import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the values that the workers of a run make once for all of them (made-once.ts). */
    readonly madeOnce: string;
  }
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'member-data-templates-'));
  project.provide('madeOnce', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
