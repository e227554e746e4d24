/** One resource as CloudFormation would have made it: every intrinsic resolved, across stacks. */
export interface Resource {
  /** Name of its stack. */
  readonly stack: string;
  /** Name of the CDK stage around the stack (`sandbox`, `production`), or the empty string. */
  readonly environment: string;
  readonly account: string;
  readonly region: string;
  readonly logicalId: string;
  readonly type: string;
  /** Fully resolved; `AWS::NoValue` left out. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** The value of `Ref`: an id, a name or an ARN, by its type. Deterministic: the same template gives the same ids. */
  readonly physicalId: string;
  readonly arn: string;
  /** Logical ids in the same stack. */
  readonly dependsOn: readonly string[];
}

/** All stacks of a cloud assembly and of the assemblies nested in it (CDK stages). */
export interface Assembly {
  readonly resources: readonly Resource[];
  ofType(type: string): readonly Resource[];
  /** Ids are unique by type only; the first is given where several share one. */
  byPhysicalId(id: string, type?: string): Resource | undefined;
  byArn(arn: string): Resource | undefined;
  /** Stack name → output's logical id → value. */
  outputs(): Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Folder (or file) of a published asset by its S3 object key, as in `Code.S3Key`. */
  assetPath(objectKey: string): string | undefined;
}

/** An assembly of given resources; tests break one by leaving something out. */
export function assemblyOf(
  resources: readonly Resource[],
  outputs: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
  assets: ReadonlyMap<string, string> = new Map(),
): Assembly {
  const types = Map.groupBy(resources, (resource) => resource.type);
  const ids = Map.groupBy(resources, (resource) => resource.physicalId);
  const arns = new Map(resources.map((resource) => [resource.arn, resource]));
  return {
    resources,
    ofType: (type) => types.get(type) ?? [],
    byPhysicalId: (id, type) => ids.get(id)?.find((one) => type === undefined || one.type === type),
    byArn: (arn) => arns.get(arn),
    outputs: () => outputs,
    assetPath: (objectKey) => assets.get(objectKey),
  };
}
