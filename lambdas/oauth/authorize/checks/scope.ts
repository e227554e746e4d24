import { parameterOf } from '../../parameters.ts';
import { grantableScope } from '../../scope-grant.ts';
import { type RedirectCheck, refuse } from './asked.ts';

export const scopeGrantable: RedirectCheck = ({ parameters, client }) =>
  grantableScope(parameterOf(parameters, 'scope'), client.products) === undefined
    ? refuse('invalid_scope', 'nothing of the scope asked for can be granted to the application')
    : undefined;
