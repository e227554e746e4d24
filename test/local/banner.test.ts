import { describe, expect, it } from 'vitest';
import { assemblyOf } from '../../local/assembly/resources.ts';
import { banner, missingMembersText } from '../../local/banner.ts';
import type { System } from '../../local/system.ts';

const system: System = {
  port: 9000,
  assembly: assemblyOf([]),
  hosts: [
    { name: 'dsnp.api.sandbox.localhost', what: 'FHIR' },
    { name: 'portal.localhost', what: 'developer portal' },
  ],
  awsEndpoint: 'http://127.0.0.1:1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  systemFile: '/state/system.json',
  invoke: async () => ({ payload: 'null' }),
  stop: async () => {},
};

describe('the banner', () => {
  it('names the hosts, the members and what to try', () => {
    const text = banner(system, 'DSNP1  Willow\n', 1.26, false);
    expect(text).toContain('Ready in 1.3 s.');
    expect(text).toContain('  http://portal.localhost:9000            developer portal\n');
    expect(text).toContain('DSNP1  Willow');
    expect(text).toMatch(/^ {2}npm run demo +show how an app reads/m);
    expect(text).toMatch(/^ {2}curl http:\/\/dsnp\.api\.sandbox\.localhost:9000\/extfhir/m);
  });

  it('tells commands where the state is when they would not find it', () => {
    const text = banner(system, undefined, 1, true);
    expect(text).toContain('npm run demo -- --system /state/system.json ');
    expect(text).toContain('npm run ops -- apps queue --system /state/system.json ');
    expect(text).not.toContain('Test members');
  });

  it('calls no system ready that has no test members, and tries nothing that needs one', () => {
    const text = banner(system, { missing: 'ops/main.ts ended with 1', isOlderState: false }, 1.26, false);
    expect(text).not.toContain('Ready');
    expect(text).toContain('Running without the test members after 1.3 s.');
    expect(text).not.toContain('npm run demo');
    expect(text).toContain('npm run ops -- clients register');
  });

  it('says what is missing, why, and how to have it', () => {
    const missing = {
      missing: 'ops/main.ts ended with 1:\nrefused: sandbox DSNP DSNP000001 email: wrong',
      isOlderState: false,
    };
    const text = missingMembersText(system, missing, false);
    expect(text).toContain('Some or all test members could not be loaded');
    expect(text).toContain('  refused: sandbox DSNP DSNP000001 email: wrong\n');
    expect(text).toMatch(/^ {2}npm run ops -- seed$/m);
    expect(missingMembersText(system, missing, true)).toMatch(
      /^ {2}npm run ops -- seed --system \/state\/system.json$/m,
    );
  });

  it('says how to begin anew where an earlier version loaded its members', () => {
    const text = missingMembersText(system, { missing: 'refused', isOlderState: true }, false);
    expect(text).toContain('  refused\n');
    expect(text).toMatch(/^ {2}npm start -- --fresh$/m);
    expect(text).not.toContain('npm run ops -- seed');
  });

  it('leaves out what this system does not have', () => {
    const bare = banner(
      { ...system, hosts: [{ name: 'inbox.localhost', what: 'mail' }] },
      undefined,
      1,
      false,
    );
    expect(bare).not.toMatch(/curl|sign-up/);
  });
});
