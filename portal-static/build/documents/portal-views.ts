/** The answers of the portal's API as schemas, for its OpenAPI document. */
export * from './account-views.ts';
export * from './application-views.ts';
export * from './operation-views.ts';
export * from './problem-views.ts';
