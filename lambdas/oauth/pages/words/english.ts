import { linesOfBusiness } from '../../../catalog/lines-of-business.ts';
import { englishConnectedApps } from './english-connected-apps.ts';
import { englishGuides } from './english-guides.ts';
import { englishMessages } from './english-messages.ts';
import type { Strings } from './strings.ts';

/** Plain words, short sentences: reading level grade 8 at most; a test counts. */
export const english: Strings = {
  language: 'en',
  languageName: 'English',
  languageSwitch: 'Language',
  error: 'Error',
  owner: 'Member sign-in',
  plans: {
    CHPDC: linesOfBusiness.CHPDC.name,
    CHPMD: linesOfBusiness.CHPMD.name,
    DSNP: linesOfBusiness.DSNP.name,
    MAPD: linesOfBusiness.MAPD.name,
    MHBE: linesOfBusiness.MHBE.name,
    EGWP: linesOfBusiness.EGWP.name,
  },
  help: 'Help',
  links: {
    'connected-apps': 'Apps you share with',
    'choosing-an-app': 'How to choose an app',
    'privacy-laws': 'Laws that guard your data',
    complaints: 'How to complain',
  },
  signIn: {
    title: 'Sign in to your health plan',
    intro: (application, plan) =>
      `${application} asks to see your data from your ${plan}. Sign in first. You decide next.`,
    username: 'Member ID or e-mail',
    password: 'Password',
    keep: (minutes) => `Keep me signed in on this browser for ${minutes} minutes`,
    keepHint:
      'Until then an app can come back without your password. Leave the box empty if others use this device.',
    submit: 'Sign in',
    problem: 'There is a problem',
    errors: {
      refused: (plan) =>
        `We could not sign you in to your ${plan}. Check the member ID or e-mail, the password and the plan, then try again.`,
      unavailable: () => 'We cannot sign you in right now. Please try again in a minute.',
    },
    locked: (wait) =>
      `There were too many tries with this name or from where you are. Please wait ${wait}, then try again.`,
    seconds: (count) => (count === 1 ? '1 second' : `${count} seconds`),
    minutes: (count) => (count === 1 ? '1 minute' : `${count} minutes`),
    usernameMissing: 'Enter your member ID or e-mail',
    passwordMissing: 'Enter your password',
    passwordAgain: 'For your safety, please enter your password again.',
  },
  code: {
    title: 'Enter the code we sent you',
    sent: (to) => `We sent a code to ${to}.`,
    why: 'We ask for it to make sure that it is you.',
    label: 'Code of 6 digits',
    submit: 'Continue',
    valid: 'The code works for 10 minutes.',
    wrong: 'This code is not right. Look at the newest message from us and try again.',
    over: 'This code does not work any more. Ask for a new one below.',
    tooSoon: 'We just sent a code. Please wait a minute before you ask for a new one.',
    busy: 'We could not check the code. Please try again.',
    none: 'Enter the code of 6 digits',
    again: 'No code yet?',
    byEmail: 'Send a new e-mail',
    byText: 'Send a text message',
    subject: (plan) => `Your code for ${plan}`,
    email: (code, plan) =>
      `${code} is your code to sign in to ${plan}.\n\nIt works for 10 minutes. Do not give it to anyone: we will never ask you for it by phone or mail.\n\nDid you not try to sign in? Then you can ignore this message, but please change your password.\n`,
    textMessage: (code, plan) =>
      `${code} is your code to sign in to ${plan}. It works for 10 minutes. Do not give it to anyone.`,
  },
  consent: {
    title: (application) => `Share your data with ${application}?`,
    signedInAs: (member) => `You are signed in as ${member}.`,
    switchAccount: 'Not you? Switch account',
    unattestedTitle: 'Be careful with this app',
    unattested: (application) =>
      `${application} has not told us how it will protect and use your data. You may still share it. Read its privacy policy first.`,
    what: 'What you share',
    choose: 'Choose what the app gets. Clear the box of what you do not want to share.',
    sensitive: 'Private matters',
    sensitiveHint: 'We share these only if you tick them.',
    nothingChosen: 'Tick what you want to share, or choose “Don’t share”.',
    identity: { name: 'Your sign-in', detail: 'A code that tells the app it is you. Not your password.' },
    readOnly: 'The app can look at this data. It cannot change anything.',
    withWhom: 'Who gets it',
    at: (host) => `from ${host}`,
    privacy: 'Privacy policy',
    terms: 'Terms of use',
    contact: (address) => `Ask the app: ${address}`,
    noPrivacy: 'This app has given us no link to a privacy policy.',
    opensElsewhere: 'opens in a new tab',
    untilWhen: 'Until when',
    until: (minutes, time) => `For ${minutes} minutes after you agree: until about ${time}.`,
    lasting: (day) =>
      `Until about ${day}, if you do not stop it sooner. Until then the app can look again, even when you are not using it.`,
    thenAgain: 'After that the app must ask you again. What it has already received, it may keep.',
    stopAnyTime: 'You can stop sharing at any time under “Apps you share with”.',
    outside:
      'Once shared, your data is in the hands of the app. Federal health privacy law (HIPAA) may no longer protect it.',
    share: 'Share my data',
    decline: "Don't share",
  },
  endSession: {
    title: 'Do you want to sign out?',
    asked: 'A link asks us to sign you out on this browser.',
    askedBy: (application) => `${application} asks us to sign you out on this browser.`,
    goesOn: 'Apps you share with keep their access.',
    stay: 'Stay signed in',
  },
  connectedApps: englishConnectedApps,
  guides: englishGuides,
  messages: englishMessages,
};
