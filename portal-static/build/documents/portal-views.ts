/** Response schemas of the portal's API, for its OpenAPI document. */
export * from './account-views.ts';
export * from './application-views.ts';
export * from './operation-views.ts';
export * from './problem-views.ts';
