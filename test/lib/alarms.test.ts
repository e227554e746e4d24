import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../architecture/imports.ts';
import { resources, synthesizeApp, type Template } from './synthesized-app.ts';

let templates: ReadonlyMap<string, Template>;
beforeAll(() => {
  templates = synthesizeApp();
}, 60_000);

const alarms = () => [...templates.values()].flatMap((each) => resources(each, 'AWS::CloudWatch::Alarm'));

/** A heading as GitHub makes it a fragment. */
const fragment = (heading: string) => heading.toLowerCase().replaceAll(' ', '-');

describe('an alarm', () => {
  it('names the paragraph of the runbook that says what to do', () => {
    const text = readFileSync(join(repositoryRoot, 'docs', 'runbook.md'), 'utf8');
    const [, paragraphs = ''] = text.split('## Alarms');
    const known = [...paragraphs.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => fragment(heading));
    const named = alarms().map(
      ({ Properties: { AlarmDescription } }) =>
        /docs\/runbook\.md#(\S+)$/.exec(String(AlarmDescription))?.[1],
    );
    expect(named.length).toBeGreaterThan(20);
    for (const name of named) expect(known).toContain(name);
    // The first of them is what `audit verify` finds: no metric tells it.
    expect([...new Set(named)].sort()).toEqual(
      known.filter((each) => each !== 'audit-trail-not-whole').sort(),
    );
  });

  it('reaches somebody, by a topic that is encrypted', () => {
    for (const { Properties: properties } of alarms()) expect(properties.AlarmActions).toHaveLength(1);
    for (const [stack, each] of templates) {
      if (!stack.endsWith('/Data')) continue;
      const [topic] = resources(each, 'AWS::SNS::Topic');
      expect(topic?.Properties.KmsMasterKeyId).toBeDefined();
    }
  });

  it('watches every host', () => {
    const watched = alarms().filter(({ Properties: { AlarmDescription } }) =>
      /server-errors$/.test(String(AlarmDescription)),
    );
    const apis = [...templates.values()].flatMap((each) => resources(each, 'AWS::ApiGateway::RestApi'));
    expect(watched).toHaveLength(apis.length);
  });
});
