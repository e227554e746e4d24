/** A resource as CloudFormation would create it, with every intrinsic function resolved, also across stacks. */
export interface Resource {
  /** Name of the resource's stack. */
  readonly stack: string;
  /** Name of the CDK stage around the stack (`sandbox`, `production`), or the empty string. */
  readonly environment: string;
  readonly account: string;
  readonly region: string;
  readonly logicalId: string;
  readonly type: string;
  /** Properties with all references resolved; those with `AWS::NoValue` are left out. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** The value of `Ref`: an ID, a name or an ARN, depending on the type. The same template always gives the same value. */
  readonly physicalId: string;
  readonly arn: string;
  /** Logical IDs of resources in the same stack. */
  readonly dependsOn: readonly string[];
  /** The resource's update policy, with all references resolved. */
  readonly updatePolicy?: Readonly<Record<string, unknown>>;
}

/** All stacks of a cloud assembly and of the assemblies nested in it (CDK stages). */
export interface Assembly {
  readonly resources: readonly Resource[];
  ofType(type: string): readonly Resource[];
  /** Finds a resource by its `Ref`. IDs are unique within a type only; without a type the first match is returned. */
  byPhysicalId(id: string, type?: string): Resource | undefined;
  byArn(arn: string): Resource | undefined;
  /** Outputs by stack name and logical ID. */
  outputs(): Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Path of a published asset (folder or file) by its S3 object key, as in `Code.S3Key`. */
  assetPath(objectKey: string): string | undefined;
}

/** Makes an assembly of given resources; tests leave resources out to break it. */
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
