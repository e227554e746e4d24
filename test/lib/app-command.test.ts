import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MissingBuildError } from '../../lib/constructs/missing-build.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { synthesizePortal } from './portal/synthesized-portal.ts';
import { synthesizeApp } from './synthesized-app.ts';

const outdir = mkdtempSync(join(tmpdir(), 'member-data-app-command-'));
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

const { app, build } = JSON.parse(readFileSync(join(repositoryRoot, 'cdk.json'), 'utf8')) as {
  readonly app: string;
  readonly build: string;
};

describe('the command the CDK CLI runs', () => {
  it('says in one line what is wrong with what it was told', () => {
    const [, ...args] = app.split(' ');
    const context = { configuration: 'staging' };
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: repositoryRoot,
      encoding: 'utf8',
      env: { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_OUTDIR: outdir },
    });
    expect(stderr.trim()).toBe('context configuration: expected "local", got "staging"');
    expect(status).toBe(1);
  });

  it('knows a build that is missing from a defect', () => {
    expect(() => synthesizeApp({}, ['token'])).toThrow(MissingBuildError);
    expect(() => synthesizePortal({}, ['portal-static'])).toThrow(MissingBuildError);
  });

  it('bundles the functions before, so that none is deployed as it was', () => {
    expect(build).toMatch(/^node bin\/bundle\.ts\b/);
  });
});
