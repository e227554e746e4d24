/** English texts of the connected-apps pages. */

import type { ConnectedAppsStrings } from './strings.ts';

export const englishConnectedApps: ConnectedAppsStrings = {
  title: 'Apps and plans you share with',
  apps: 'Apps',
  intro: 'These apps can see your data now. You can stop sharing with an app at any time.',
  none: 'You are not sharing your data with any app.',
  stopped: (application) => `You stopped sharing. ${application} can no longer see your data.`,
  whose: 'Whose data',
  sharedBy: 'Shared by',
  sharedByOne: (name, kind) => `${name}, your ${kind}`,
  shared: 'What it can see',
  since: 'Since',
  last: 'Last viewed',
  never: 'Not yet',
  notSince: (time) => `Not viewed since ${time}`,
  until: 'Ends',
  unknownApp: 'An app that is no longer registered',
  open: (application) => `Open ${application}`,
  history: (application) => `Data ${application} has viewed`,
  historyTitle: (application) => `Data ${application} has viewed`,
  historyIntro:
    'Each row is one time the app viewed your data. The newest is first. A claims record is a claim, or a doctor or clinic named in a claim.',
  when: 'When',
  read: 'Data viewed',
  gotNothing: (group) => `${group}: no records`,
  gotOne: (group) => `${group}: 1 record`,
  gotMany: (group, records) => `${group}: ${records} records`,
  nothingRead: 'There are no records to show.',
  older: 'Show older',
  back: 'Back to apps and plans',
  stop: (application) => `Stop sharing with ${application}`,
  stopTitle: (application) => `Stop sharing with ${application}?`,
  stopHint: 'This takes effect immediately. The app may keep the data it already has.',
  stopNow: 'Stop sharing',
  keep: 'Keep sharing',
  shareAgain: (application) =>
    `You can share again at any time. Open ${application} and choose to get data from your health plan.`,
  signOut: 'Sign out',
  signedOut: 'You are signed out.',
  signInIntro: (plan) =>
    `Sign in to see which apps and plans get data from your ${plan}, and to stop sharing. You can also let us ask another plan for your data.`,
};
