import { type Stage, Tags } from 'aws-cdk-lib';
import { stageTag } from '../../lambdas/catalog/environments.ts';

/** Tags resources with application and stage. Activate both as cost allocation tags to see them on bills. */
export function tagStage(stage: Stage): void {
  Tags.of(stage).add('member-data:application', 'member-data-api');
  Tags.of(stage).add(stageTag, stage.stageName);
}
