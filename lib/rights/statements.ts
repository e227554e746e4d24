/** Makes IAM policy statements from the rows of `rights.ts`. */

import { Stack } from 'aws-cdk-lib';
import { type Conditions, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { type IamResource, type Placeholder, resourceKinds } from './resources.ts';
import { type PartRight, partRights, type RoleName, type RoleRights, rights } from './rights.ts';

/** A resource of a stack, to which rows of the table may refer. */
export interface Reachable {
  /** ARNs of a part of the resource; for `''`, of the resource itself. */
  readonly arns: (part: string) => readonly string[];
  /** Encrypts the resource. A role with a right on the resource gets the right to use the key, through the resource's service only. */
  readonly key?: IKey;
  readonly conditions?: Conditions;
  /** Denials that accompany rights on resources that IAM can't name. */
  readonly denials?: readonly PolicyStatement[];
}

/** The resources that rows of the table may refer to, and the names that their placeholders stand for. */
export interface Reach {
  readonly resources: Readonly<Partial<Record<IamResource, Reachable>>>;
  readonly names: Readonly<Partial<Record<Placeholder, readonly string[]>>>;
}

/** A right with its resource, and with placeholders replaced. */
interface Right extends PartRight {
  readonly resource: Reachable;
}

/** Adds resources to a reach, or replaces those of the same name. */
export function withResources(reach: Reach, resources: Reach['resources']): Reach {
  return { ...reach, resources: { ...reach.resources, ...resources } };
}

/** A resource with one ARN. */
export function reachable(arn: string, more: Omit<Reachable, 'arns'> = {}): Reachable {
  return { ...more, arns: () => [arn] };
}

/** A resource with several parts, by the name of each part. */
export function reachableParts(
  arns: Readonly<Record<string, string | readonly string[]>>,
  more: Omit<Reachable, 'arns'> = {},
): Reachable {
  return {
    ...more,
    arns(part) {
      const { [part]: found } = arns;
      if (found === undefined) throw new Error(`${part} is not among ${Object.keys(arns).join(', ')}`);
      return [found].flat();
    },
  };
}

/**
 * A bucket, whose parts are keys of objects.
 *
 * @param key encrypts the bucket; absent if S3's own key does.
 */
export function reachableBucket(bucket: IBucket, key?: IKey): Reachable {
  const arns = (objects: string) => [objects === '' ? bucket.bucketArn : bucket.arnForObjects(objects)];
  return key === undefined ? { arns } : { arns, key };
}

/**
 * Makes the statements of a row, in the order of the table. Statements on items of a table are returned separately, for a policy of their
 * own.
 *
 * @throws Error if the row names a resource or a placeholder that `reach` doesn't have.
 */
export function statementsOf(scope: Construct, name: RoleName, reach: Reach) {
  const found = rightsOf(rights[name], reach);
  const onItems = Map.groupBy(found.filter(isOnItems), ({ on }) => on);
  return {
    onItems: [...onItems.values()].flatMap(itemStatements),
    others: found.flatMap((right, index) => {
      const later = found.slice(index + 1);
      const { denials = [], key } = right.resource;
      return [
        ...(isOnItems(right) ? [] : [statement(right)]),
        ...(later.some(({ on }) => on === right.on) ? [] : denials),
        ...(key === undefined || later.some(({ resource }) => resource.key === key)
          ? []
          : keyStatements(scope, key, found)),
      ];
    }),
  };
}

function rightsOf(row: RoleRights, { resources, names }: Reach): Right[] {
  return partRights(row).flatMap(({ on, part, actions }) => {
    const { [on]: resource } = resources;
    if (resource === undefined) throw new Error(`${on} is not among the resources of this function`);
    return filledIn(part, names)
      .map((each) => ({ on, resource, part: each, actions }))
      .filter((right) => resource.arns(right.part).length > 0);
  });
}

/** Replaces the placeholder of a part by each name it stands for: `<each lob>#KEY#*` becomes `DSNP#KEY#*`, `MAPD#KEY#*`, and so on. */
function filledIn(part: string, names: Reach['names']): string[] {
  const [placeholder] = /<[^>]+>/.exec(part) ?? [];
  if (placeholder === undefined) return [part];
  const { [placeholder as Placeholder]: values } = names;
  if (values === undefined) throw new Error(`${placeholder} stands for nothing here`);
  return values.map((value) => part.replace(placeholder, value));
}

function isOnItems({ on }: Right): boolean {
  const kind = resourceKinds[on];
  return 'hasItems' in kind;
}

function statement({ on, resource, part, actions }: Right): PolicyStatement {
  const { conditions } = resource;
  return new PolicyStatement({
    actions: named(on, actions),
    resources: [...resource.arns(part)],
    ...(conditions !== undefined && { conditions }),
  });
}

function named(on: IamResource, actions: readonly string[]): string[] {
  return actions.map((action) => `${resourceKinds[on].service}:${action}`);
}

/**
 * Makes one statement for each action on items of a table, with all partitions of the action. AWS does not document whether it authorizes a
 * transaction by item or by action; if by action, one statement must name all the partitions
 * (docs/decisions/0017-limit-roles-by-partition.md).
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
function itemStatements(ofTable: readonly Right[]): PolicyStatement[] {
  const actions = [...new Set(ofTable.flatMap(({ actions }) => actions))];
  const partitions = (action: string) =>
    ofTable
      .filter(({ actions }) => actions.includes(action))
      .map(({ part }) => part)
      .sort();
  const [{ on, resource }] = ofTable as [Right];
  return [...Map.groupBy(actions, (action) => partitions(action).join())].map(
    ([, same]) =>
      new PolicyStatement({
        actions: named(on, same),
        resources: [...resource.arns('')],
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions(same[0] ?? '') },
        },
      }),
  );
}

/** The right to use a key, through the service of the encrypted resource. */
function keyStatements(scope: Construct, key: IKey, found: readonly Right[]): PolicyStatement[] {
  const encrypted = found.filter(({ resource }) => resource.key === key);
  const services = Map.groupBy(encrypted, ({ on }) => resourceKinds[on].service);
  return [...services].flatMap(([service, rightsThere]) => {
    const actions = keyActions(
      service,
      rightsThere.flatMap(({ actions }) => actions),
    );
    if (actions.length === 0) return [];
    return [
      new PolicyStatement({
        actions: actions.map((action) => `kms:${action}`),
        resources: [key.keyArn],
        conditions: {
          StringEquals: { 'kms:ViaService': `${service}.${Stack.of(scope).region}.amazonaws.com` },
        },
      }),
    ];
  });
}

/** The KMS actions that a service needs on behalf of a caller with these actions. */
function keyActions(service: string, actions: readonly string[]): string[] {
  if (service === 'dynamodb') return ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey'];
  const writes = actions.some((action) => action.startsWith('Put'));
  // Decrypt is needed to write, because S3 decrypts the parts of a multipart upload.
  if (writes) return ['Decrypt', 'GenerateDataKey'];
  return actions.some((action) => action.startsWith('Get')) ? ['Decrypt'] : [];
}
