import type { Message, Strings } from './strings.ts';

const backToApp = 'Go back to the app and start again.';
const tellDeveloper =
  'Nothing was shared. Please tell the people who make the app. They can find out what is wrong.';

const brokenLink: Message = { title: 'This link does not work', advice: tellDeveloper };

/** Plain words, short sentences: reading level grade 8 at most. */
export const english: Strings = {
  language: 'en',
  error: 'Error',
  signIn: {
    title: 'Sign in to your health plan',
    intro: (application, plan) =>
      `${application} asks to see your data from your ${plan}. Sign in first. You decide next.`,
    username: 'Member ID or e-mail',
    password: 'Password',
    submit: 'Sign in',
    problem: 'There is a problem',
    errors: {
      refused: 'The member ID or e-mail and the password do not match. Check both and try again.',
      not_covered:
        'Your sign-in is right, but you have no coverage in this plan. Go back to the app and choose your plan.',
      unavailable: 'We cannot sign you in right now. Please try again in a minute.',
    },
    usernameMissing: 'Enter your member ID or e-mail',
    passwordMissing: 'Enter your password',
    passwordAgain: 'For your safety, please enter your password again.',
  },
  consent: {
    title: (application) => `Share your data with ${application}?`,
    signedInAs: (member) => `You are signed in as ${member}.`,
    unattestedTitle: 'Be careful with this app',
    unattested: (application) =>
      `${application} has not told us how it will protect and use your data. You may still share it. Read its privacy policy first.`,
    what: 'What you share',
    groups: {
      Patient: {
        name: 'Your details',
        detail: 'Name, gender, date of birth, address, member ID, and your plan and group numbers',
      },
    },
    otherGroup: (resourceType) => `Your ${resourceType} records`,
    identity: { name: 'Your sign-in', detail: 'A code that tells the app it is you. Not your password.' },
    readOnly: 'The app can look at this data. It cannot change anything.',
    withWhom: 'Who gets it',
    at: (host) => `from ${host}`,
    privacy: 'Privacy policy',
    terms: 'Terms of use',
    noPrivacy: 'This app has given us no link to a privacy policy.',
    opensElsewhere: 'opens in a new tab',
    untilWhen: 'Until when',
    until: (minutes, time) => `For ${minutes} minutes after you agree: until about ${time}.`,
    untilDate: (date) =>
      `Until about ${date}, if you do not stop it sooner. Until then the app can look again, even when you are not using it.`,
    thenAgain: 'After that the app must ask you again. What it has already received, it may keep.',
    outside:
      'Once shared, your data is in the hands of the app. Federal health privacy law (HIPAA) may no longer protect it.',
    share: 'Share my data',
    decline: "Don't share",
  },
  messages: {
    client_id_missing: brokenLink,
    client_unknown: { title: 'We do not know this app', advice: tellDeveloper },
    client_inactive: {
      title: 'This app cannot be used right now',
      advice: 'It is not allowed to ask for your data at the moment. Nothing was shared.',
    },
    redirect_uri_missing: brokenLink,
    redirect_uri_unregistered: {
      title: 'We stopped to keep your data safe',
      advice: `The link would have sent you to an address that is not known to be the app’s own. ${tellDeveloper}`,
    },
    interaction_unknown: {
      title: 'We cannot find your sign-in',
      advice: `It may have been open for too long, or your browser does not allow cookies. ${backToApp}`,
    },
    interaction_expired: {
      title: 'Your time to sign in is over',
      advice: `Nothing was shared. ${backToApp}`,
    },
    interaction_answered: {
      title: 'You have already answered',
      advice: `To change your answer: ${backToApp}`,
    },
    form_foreign: {
      title: 'We could not accept this form',
      advice: `It did not come from our page. ${backToApp}`,
    },
    answer_missing: { title: 'We did not get your answer', advice: backToApp },
    form_malformed: { title: 'We could not read this form', advice: backToApp },
    line_of_business_unknown: { title: 'We do not know this plan', advice: tellDeveloper },
    page_unknown: { title: 'There is no such page', advice: backToApp },
    method_not_allowed: { title: 'This page cannot be used like that', advice: backToApp },
    defect: { title: 'Something went wrong on our side', advice: `Nothing was shared. ${backToApp}` },
    unavailable: {
      title: 'We are very busy right now',
      advice: 'Please wait a moment, then load this page again.',
    },
  },
};
