/** The account requests' schemas, loaded after the page is shown. */
export const accountSchemas = () => import('../../lambdas/portal/api/accounts.ts');
