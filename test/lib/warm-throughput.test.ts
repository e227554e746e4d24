import { expect, it } from 'vitest';
import { configuredApp } from './configured-app.ts';
import { type Resource, resources, synthesizeApp, type Template } from './synthesized-app.ts';

const tableIn = (template: Template | undefined): Resource['Properties'] =>
  resources(template as Template, 'AWS::DynamoDB::GlobalTable')[0]?.Properties ?? {};

it('the table and its index take at once what the configuration says, and what DynamoDB gives where it says nothing', () => {
  const { WarmThroughput, GlobalSecondaryIndexes } = tableIn(configuredApp().templates.get('sandbox/Data'));
  const configured = { ReadUnitsPerSecond: 24_000, WriteUnitsPerSecond: 40_000 };
  expect(WarmThroughput).toEqual(configured);
  expect(GlobalSecondaryIndexes).toEqual([expect.objectContaining({ WarmThroughput: configured })]);
  const plain = JSON.stringify(tableIn(synthesizeApp().get('sandbox/Data')));
  expect(plain).not.toContain('WarmThroughput');
});
