import type { Strings } from './strings.ts';

/** What 42 CFR 422.119(g), 431.60(f) and 45 CFR 156.221(g) have a plan tell its members. */
export const englishGuides: Strings['guides'] = {
  'choosing-an-app': {
    title: 'How to choose a health app',
    intro:
      'You may share your plan data with an app you like. The app is not part of your plan. We do not pick it or check what it does with your data. A few minutes of reading can keep you safe.',
    sections: [
      {
        heading: 'Ask this before you share',
        points: [
          'What data will the app take? Is it more than it needs?',
          'Will it take other things from your phone, like where you are?',
          'Will it sell your data, or use it for ads?',
          'Who else gets to see your data, and why?',
          'How does the app keep your data safe?',
          'Can you stop sharing and have your data deleted?',
          'Whom can you ask when something is wrong?',
          'Will the app tell you when its rules change?',
        ],
      },
      {
        heading: 'Where to find the answers',
        text: 'Read the privacy policy of the app. It should be short and clear. If you cannot find it, or do not understand it, choose another app.',
      },
      {
        heading: 'If more people are on your plan',
        text: 'Your data may tell things about your family too. Talk with them first. A teenager may have the right to keep some care private.',
      },
      {
        heading: 'You can stop',
        text: 'Open “Apps you share with” and stop any app there. It can get nothing new from us then. It may keep what it already has, so ask the app to delete it.',
      },
    ],
  },
  'privacy-laws': {
    title: 'Laws that guard your data',
    intro:
      'Which law guards your health data depends on who holds it. Here is what holds for your plan, and what holds for an app.',
    sections: [
      {
        heading: 'Your plan and your doctors: HIPAA',
        text: 'HIPAA is a federal law. Your health plan, your doctors and your hospital must follow it. So must the firms that work for them. They may use your data to care for you, to pay bills and to run the plan. For most other uses they must ask you first.',
      },
      {
        heading: 'Most apps: the FTC Act',
        text: 'Most apps do not have to follow HIPAA. The Federal Trade Commission (FTC) watches them. An app must do what its privacy policy says. If it shares your data when it said it would not, it may break the law. If your data gets out, the app may have to tell you.',
      },
      {
        heading: 'When does HIPAA hold for an app?',
        text: 'Only when the app works for your plan or your doctor. If you are not sure, ask the people who make the app.',
      },
      {
        heading: 'Read more',
        links: [
          {
            text: 'HHS: your rights under HIPAA',
            uri: 'https://www.hhs.gov/hipaa/for-individuals/index.html',
          },
          {
            text: 'FTC: privacy and apps',
            uri: 'https://consumer.ftc.gov/articles/how-protect-your-privacy-apps',
          },
        ],
      },
    ],
  },
  complaints: {
    title: 'How to complain',
    intro:
      'Do you think someone has used your health data in a wrong way? You can complain. No one may treat you worse for it.',
    sections: [
      {
        heading: 'About your health plan or your doctor',
        text: 'Call your plan first: the number is on the back of your member card. You can also write to the Office for Civil Rights (OCR). It is part of the U.S. Department of Health. Do this within 180 days from when you found out.',
        links: [{ text: 'Complain to OCR', uri: 'https://www.hhs.gov/hipaa/filing-a-complaint/index.html' }],
      },
      {
        heading: 'About an app',
        text: 'Ask the people who make the app first. Then tell the Federal Trade Commission (FTC). It cannot solve each case, but it uses reports to stop firms that break the law.',
        links: [{ text: 'Report to the FTC', uri: 'https://reportfraud.ftc.gov/' }],
      },
      {
        heading: 'Stop the app first',
        text: 'If you do not trust an app any more, stop it under “Apps you share with”. Change your password if you gave it to the app.',
      },
    ],
  },
};
