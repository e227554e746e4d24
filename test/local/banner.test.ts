import { describe, expect, it } from 'vitest';
import { assemblyOf } from '../../local/assembly/resources.ts';
import { banner } from '../../local/banner.ts';
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
    expect(text).toMatch(/^ {2}npm run demo +an app reads/m);
    expect(text).toMatch(/^ {2}curl http:\/\/dsnp\.api\.sandbox\.localhost:9000\/extfhir/m);
  });

  it('tells commands where the state is when they would not find it', () => {
    const text = banner(system, undefined, 1, true);
    expect(text).toContain('npm run demo -- --system /state/system.json ');
    expect(text).toContain('npm run ops -- apps queue --system /state/system.json ');
    expect(text).not.toContain('Test members');
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
