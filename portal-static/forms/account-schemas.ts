/** Loads the schemas of the account requests, after the page is shown. */
export const accountSchemas = () => import('../../lambdas/portal/api/accounts.ts');
