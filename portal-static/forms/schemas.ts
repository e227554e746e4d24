/** Loads the schemas of the requests, after the page is shown. */
export const accountSchemas = () => import('../../lambdas/portal/api/accounts.ts');
export const applicationSchemas = () => import('../../lambdas/portal/api/application-requests.ts');
export const operationsSchemas = () => import('../../lambdas/portal/api/operations.ts');
