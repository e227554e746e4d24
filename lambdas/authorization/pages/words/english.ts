/** Texts of members' pages, in English. */

import { linesOfBusiness } from '../../../catalog/lines-of-business.ts';
import { englishActivation } from './english-activation.ts';
import { englishConnectedApps } from './english-connected-apps.ts';
import { englishGuides } from './english-guides.ts';
import { englishMessages } from './english-messages.ts';
import { englishOtherPlans } from './english-other-plans.ts';
import type { Strings } from './strings.ts';

/** English in plain words and short sentences: a test requires reading level grade 8 at most. */
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
    'connected-apps': 'Apps and plans you share with',
    'choosing-an-app': 'How to choose an app',
    'privacy-laws': 'Laws that protect your data',
    complaints: 'File a complaint',
  },
  signIn: {
    title: 'Sign in to your health plan',
    intro: (application, plan) =>
      `${application} asks to see your data from your ${plan}. Sign in to continue. You choose what to share on the next page.`,
    username: 'Member ID or e-mail',
    password: 'Password',
    keep: (minutes) => `Keep me signed in on this browser for ${minutes} minutes`,
    keepHint:
      'During this time, apps can sign you in again without your password. Do not select this on a shared device.',
    submit: 'Sign in',
    problem: 'There is a problem',
    errors: {
      refused: (plan) =>
        `We could not sign you in to your ${plan}. Check the member ID or e-mail, the password and the plan, then try again.`,
      unavailable: () => 'We cannot sign you in right now. Try again in a minute.',
    },
    locked: (wait) =>
      `There were too many sign-in attempts with this name or from your network. Wait ${wait}, then try again.`,
    seconds: (count) => (count === 1 ? '1 second' : `${count} seconds`),
    minutes: (count) => (count === 1 ? '1 minute' : `${count} minutes`),
    usernameMissing: 'Enter your member ID or e-mail',
    passwordMissing: 'Enter your password',
    passwordAgain: 'Enter your password again',
  },
  provider: {
    continueWith: (provider) => `Continue with ${provider}`,
    orHere: 'Or sign in with your account here',
    problems: {
      unavailable: {
        title: 'We cannot reach your plan’s sign-in',
        advice: (provider) =>
          `${provider} did not answer. Nothing was shared. Wait a minute, then try again.`,
      },
      cancelled: {
        title: 'You did not finish signing in',
        advice: (provider) => `${provider} ended the sign-in. Nothing was shared. You can try again.`,
      },
      failed: {
        title: 'We could not sign you in',
        advice: (provider) =>
          `To keep your data safe, we did not accept the answer of ${provider}. Nothing was shared. Try again. If the problem continues, call the number on your member card.`,
      },
      unknown_member: {
        title: 'We could not find your plan record',
        advice: (provider, plan) =>
          `You are signed in to ${provider}, but we found no record for you in your ${plan}. Check that you chose the right plan in the app. If you have another account, use that one. If you think this is a mistake, call the number on your member card.`,
      },
    },
    again: (provider) => `Try again with ${provider}`,
    otherAccount: (provider) => `Use another account of ${provider}`,
    here: 'Sign in with your account here',
  },
  code: {
    title: 'Enter the code we sent you',
    sent: (to) => `We sent a code to ${to}.`,
    why: 'The code confirms that it is you.',
    label: '6-digit code',
    submit: 'Continue',
    valid: 'The code is valid for 10 minutes.',
    wrong: 'The code is incorrect. Enter the code from our latest message.',
    over: 'The code is no longer valid. Request a new code below.',
    tooSoon: 'We just sent a code. Wait a minute before you request another code.',
    busy: 'We could not check the code. Try again.',
    none: 'Enter the 6-digit code',
    again: 'Didn’t get a code?',
    byEmail: 'Send a new code by e-mail',
    byText: 'Send a new code by text message',
    subject: (plan) => `Your code for ${plan}`,
    email: (code, plan) =>
      `${code} is your code to sign in to ${plan}.\n\nThe code is valid for 10 minutes. Do not share it with anyone. We never ask for it by phone or mail.\n\nIf you did not try to sign in, ignore this message and change your password.\n`,
    textMessage: (code, plan) =>
      `${code} is your code to sign in to ${plan}. The code is valid for 10 minutes. Do not share it with anyone.`,
  },
  patient: {
    title: 'Whose data do you want to share?',
    intro: (application, plan) =>
      `${application} asks to see data from your ${plan}. Choose one person. You choose what to share on the next page.`,
    yourself: (name) => `${name} (you)`,
    represented: (kind) => `We have you on file as their ${kind}.`,
    bornIn: (name, year) => `${name}, born in ${year}`,
    submit: 'Continue',
    missing: 'Select the person whose data you want to share',
    noLonger: 'You cannot share that person’s data. Select another person.',
    kinds: {
      parent: 'parent',
      guardian: 'legal guardian',
      attorney: 'agent under a power of attorney',
      representative: 'personal representative',
    },
  },
  activation: englishActivation,
  consent: {
    title: (application) => `Share your data with ${application}?`,
    titleFor: (patient, application) => `Share ${patient}’s data with ${application}?`,
    onBehalfOf: (patient, kind) => `You are sharing ${patient}’s data as their ${kind}.`,
    shareFor: (patient) => `Share ${patient}’s data`,
    signedInAs: (member) => `You are signed in as ${member}.`,
    switchAccount: 'Not you? Switch account',
    unattestedTitle: 'Be careful with this app',
    unattested: (application) =>
      `${application} has not told us how it protects and uses your data. You can still share your data. Read the app’s privacy policy first.`,
    what: 'What you share',
    choose: 'Choose what the app gets. Clear the box for data you do not want to share.',
    sensitive: 'Sensitive data',
    sensitiveHint: 'We share this data only if you select it. Your list of medicines may still hint at it.',
    nothingChosen: 'Select the data you want to share, or choose “Don’t share”.',
    identity: {
      name: 'Your identity',
      detail: 'An ID that tells the app who you are. It is not your password.',
    },
    readOnly: 'The app can view this data. It cannot change it.',
    withWhom: 'Who gets it',
    at: (host) => `from ${host}`,
    privacy: 'Privacy policy',
    terms: 'Terms of use',
    contact: (address) => `Contact the app: ${address}`,
    noPrivacy: 'This app has not given us a link to its privacy policy.',
    opensElsewhere: 'opens in a new tab',
    untilWhen: 'How long the app has access',
    until: (minutes, time) =>
      `The app has access for ${minutes} minutes after you agree, until about ${time}.`,
    lasting: (day) =>
      `The app has access until about ${day}, unless you stop it sooner. It can view your data even when you are not using it.`,
    thenAgain: 'After that, the app must ask you again. It may keep the data it already has.',
    stopAnyTime: 'You can stop sharing at any time under “Apps and plans you share with”.',
    endLabel: 'End the access',
    endOn: (day) => `about ${day}`,
    endAfter: (days, day) => (days === 1 ? `after 1 day, about ${day}` : `after ${days} days, about ${day}`),
    replaces: (application) =>
      `If you shared data with ${application} before, your choice here replaces the earlier one.`,
    outside:
      'After you share your data, the app controls its copy. Federal health privacy law (HIPAA) may no longer protect that copy.',
    share: 'Share my data',
    decline: "Don't share",
  },
  accountEnded: {
    title: 'Nothing was shared',
    advice:
      'Your account or your plan changed after you signed in, so we ended this sign-in. Go back to the app and sign in again. If that does not work, call the number on your member card.',
    back: (application) => `Go back to ${application}`,
  },
  endSession: {
    title: 'Do you want to sign out?',
    asked: 'A link asks us to sign you out of this browser.',
    askedBy: (application) => `${application} asks us to sign you out of this browser.`,
    goesOn: 'Apps you share with keep their access.',
    stay: 'Stay signed in',
  },
  connectedApps: englishConnectedApps,
  otherPlans: englishOtherPlans,
  guides: englishGuides,
  messages: englishMessages,
  reference: {
    title: 'For the people who make the app',
    requestId: 'Request ID',
    code: 'Error code',
    address: 'Page asked for',
    explanation: 'What this error means, and how to fix it',
  },
};
