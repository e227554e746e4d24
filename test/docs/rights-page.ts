import { type IamResource, placeholders, resourceKinds } from '../../lib/rights/resources.ts';
import { type PartRight, partRights, type RoleRights, rights } from '../../lib/rights/rights.ts';

interface Right extends PartRight {
  readonly who: string;
}

const itemActions = {
  G: 'GetItem',
  B: 'BatchGetItem',
  Q: 'Query',
  P: 'PutItem',
  U: 'UpdateItem',
  D: 'DeleteItem',
  C: 'ConditionCheckItem',
} as const;

const all: readonly Right[] = Object.entries<RoleRights>(rights).flatMap(([who, row]) =>
  partRights(row).map((right) => ({ ...right, who })),
);

const ofResource = (name: IamResource) => all.filter(({ on }) => on === name);
const rows = (cells: readonly (readonly string[])[]) =>
  cells.map((each) => `| ${each.join(' | ')} |`).join('\n');
const code = (text: string) => `\`${text}\``;

/** Matches the owner in a partition key: a placeholder, or the issuer of machine tokens. */
const owner = /<[^>]+>|\bM2M\b/;

/**
 * The rows of a table of partitions: for each kind of partition the functions that reach it, their actions, and the owners if they reach
 * only some.
 */
function partitions(name: IamResource): string {
  const kinds = Map.groupBy(ofResource(name), ({ part }) => part.replace(owner, '<…>'));
  return rows(
    [...kinds]
      .sort(([one], [other]) => one.localeCompare(other, 'en'))
      .map(([kind, there]) => {
        const holders = Map.groupBy(there, ({ who, actions }) => `${code(who)} ${letters(actions)}`);
        const cells = [...holders].map(([holder, same]) => {
          const owners = same.flatMap(({ part }) => owner.exec(part)?.[0] ?? []);
          return owners.length === 0 ? holder : `${holder} (${owners.map(code).join(', ')})`;
        });
        return [code(kind), cells.sort().join(', ')];
      }),
  );
}

function letters(actions: readonly string[]): string {
  return Object.entries(itemActions)
    .filter(([, action]) => actions.includes(action))
    .map(([letter]) => letter)
    .join('');
}

/** The rows for the resources that are not tables. */
function others(): string {
  const names = (Object.keys(resourceKinds) as IamResource[]).filter(
    (name) => !['table', 'portalTable'].includes(name),
  );
  return rows(
    names.flatMap((name) =>
      [...Map.groupBy(ofResource(name), ({ part }) => part)].map(([part, there]) => {
        const holders = Map.groupBy(there, ({ actions }) => actions.map(code).join(', '));
        const cells = [...holders].map(
          ([actions, same]) =>
            `${same
              .map(({ who }) => code(who))
              .sort()
              .join(', ')}: ${actions}`,
        );
        const { service, what } = resourceKinds[name];
        return [part === '' ? what : `${what}: ${code(part)}`, code(service), cells.sort().join('; ')];
      }),
    ),
  );
}

/** Renders docs/rights.md. */
export function rightsPage(): string {
  return `# Rights

Who may touch what: every right of every function, state machine and rule, by resource. The table is [\`lib/rights/rights.ts\`](../lib/rights/rights.ts): IAM policies are made of it
([decision 17](decisions/0017-limit-roles-by-partition.md)), and \`npm test\` compares it with this page, with every role in the templates, and with what the code of each
function calls. To change a right, change its row there and run \`npx vitest run --project unit test/docs -u\`.

Beside these, a function writes its own log and a state machine delivers its own. Who may touch a resource may use the key that encrypts it, through the
service of the resource only. No right is to all items of a table: an item is reached by its partition, and \`*\` at the end of a partition stands for any end.

| Name | Stands for |
|---|---|
${rows(Object.entries(placeholders).map(([name, what]) => [code(name), what]))}

## The table of an environment

${Object.entries(itemActions)
  .map(([letter, action]) => `${letter} is ${code(action)}`)
  .join(', ')}. \`<…>\` is the owner in parentheses.

| Partition | Who, and actions |
|---|---|
${partitions('table')}

## The portal's table

| Partition | Who, and actions |
|---|---|
${partitions('portalTable')}

## Everything else

| Resource | Service | Who, and actions |
|---|---|---|
${others()}
`;
}
