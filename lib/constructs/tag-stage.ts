import { type Stage, Tags } from 'aws-cdk-lib';
import { stageTag } from '../../lambdas/catalog/environments.ts';

/** Tells on bills and in inventories whose a resource is; activate both as cost allocation tags to see them there. */
export function tagStage(stage: Stage): void {
  Tags.of(stage).add('member-data:application', 'member-data-api');
  Tags.of(stage).add(stageTag, stage.stageName);
}
