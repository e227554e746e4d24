/** Numbers of functions' versions, which Lambda counts up from 1 and never gives again. */
export interface VersionNumbers {
  /** The number of an `AWS::Lambda::Version`: the next one of its function when it is asked for first. */
  numberOf(functionArn: string, logicalId: string): string;
}

/** Makes the numbers of a running system. A template that changes a function has a version with another logical ID. */
export function versionNumbers(): VersionNumbers {
  const published = new Map<string, string[]>();
  return {
    numberOf(functionArn, logicalId) {
      const versions = published.get(functionArn) ?? [];
      published.set(functionArn, versions);
      if (!versions.includes(logicalId)) versions.push(logicalId);
      return `${versions.indexOf(logicalId) + 1}`;
    },
  };
}
