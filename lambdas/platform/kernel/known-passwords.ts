/**
 * Recognizes passwords that are guessed first. Among passwords of 15 and more characters these are well-known sentences, short known
 * passwords in a row, sequences on a keyboard, and words of the website and the person (NIST SP 800-63B-4 section 3.1.1.2).
 */

const sentences = `
correcthorsebatterystaple thequickbrownfox thequickbrownfoxjumps thequickbrownfoxjumpsoverthelazydog
letmeinletmein letmeinplease iloveyouiloveyou iloveyousomuch iloveyouforever iloveyoumorethananything
passwordpassword passwordispassword mypasswordismypassword thisismypassword thisisapassword
thisismynewpassword mynewpassword mysecretpassword mysupersecretpassword supersecretpassword
donttellanyone nobodyknowsthis changemechangeme changethispassword pleasechangeme
tobeornottobe tobeornottobethatisthequestion maytheforcebewithyou maytheforce lukeiamyourfather
winteriscoming valarmorghulis onceuponatime happilyeverafter youshallnotpass
howmuchwoodcouldawoodchuckchuck marryhadalittlelamb maryhadalittlelamb twinkletwinklelittlestar
humptydumptysatonawall rowrowrowyourboat happybirthdaytoyou jinglebellsjinglebells
inthebeginning inthenameofgod jesuslovesme godisgreat godblessamerica godblessyou jesusismylord
thetruthisoutthere allyourbasearebelongtous imfeelinglucky neverGonnaGiveYouUp nevergonnagiveyouup
helloworldhelloworld helloworld helloitsme goodmorningvietnam lifeislikeaboxofchocolates
ilovemyfamily ilovemyhusband ilovemywife ilovemykids ilovemymom ilovemydog ilovemycat
chocolatechipcookie peanutbutterjelly sweethomealabama hotelcalifornia stairwaytoheaven
bohemianrhapsody smellsliketeenspirit livinonaprayer dontstopbelievin dontstopbelieving
manchesterunited liverpoolfootballclub realmadrid newyorkyankees dallascowboys bostonredsox
barcelona chelseafootballclub losangeleslakers pittsburghsteelers greenbaypackers
starwarsstarwars harrypotter lordoftherings gameofthrones spongebobsquarepants superman batman
trustno1trustno1 opensesame abracadabra administrator administratoradministrator
rootrootrootroot adminadminadmin testtesttesttest useruseruseruser guestguestguest
defaultpassword temporarypassword temppassword initialpassword companypassword
welcometothejungle welcomewelcome welcometomyhome welcomehome welcomeback
abcdefghijklmno abcdefghijklmnop abcdefghijklmnopqrstuvwxyz zyxwvutsrqponmlkjihgfedcba
qwertyuiopasdfghjkl qwertyuiopasdfg qwertyuiopasdfghjklzxcvbnm qwertyqwertyqwerty asdfghjklasdfghjkl
zxcvbnmzxcvbnm qazwsxedcrfvtgb qazwsxedcrfvtgbyhnujm poiuytrewqlkjhgfdsamnbvcxz 1qaz2wsx3edc4rfv
1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o0p q1w2e3r4t5y6u7i8o9p0 zaq12wsxcde34rfv
supercalifragilisticexpialidocious antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis
floccinaucinihilipilification hippopotomonstrosesquippedaliophobia
`;

/** Known short passwords and words. A password that consists of these, with digits and signs around them, counts as known. */
const words = `
password passwort passw0rd p4ssword pass secret letmein welcome admin administrator root user guest test testing login
master dragon monkey shadow sunshine princess football baseball basketball soccer hockey superman batman starwars
iloveyou loveyou love lovely forever flower hello freedom whatever trustno michael jennifer jordan jessica ashley daniel
charlie thomas robert andrew matthew joshua hunter killer ranger buster summer winter spring autumn monday friday january
february december november october september changeme change default temporary temp qwerty qwertz azerty asdf asdfgh
zxcvbn zxcvbnm qazwsx abc abcd abcde abcdef letmein computer internet google facebook linkedin microsoft windows apple
samsung amazon pokemon minecraft fortnite cheese pepper ginger cookie chocolate banana orange purple silver golden diamond
harley mustang corvette ferrari mercedes yankees cowboys steelers lakers eagles chelsea liverpool arsenal barcelona
jesus christ heaven angel angels bless america american usa london paris newyork texas california
developer portal developerportal member data memberdata memberdataapi health healthplan plan insurance fhir patient
patientaccess payer payeraccess provider providerdirectory sandbox production api oauth smart token client hipaa
medicare medicaid brokerage
`;

const known = new Set(sentences.trim().split(/\s+/).map(plain));
const knownWords = words
  .trim()
  .split(/\s+/)
  .sort((one, other) => other.length - one.length);

/** Minimum number of unknown characters that make a password hard to guess. */
const leastUnknown = 6;
/** Minimum length of the person's own words; shorter ones occur in too many other words. */
const shortestOwn = 4;

/**
 * Whether a password is known, so that it would be guessed early.
 *
 * @param own the account's names, e-mail addresses and company.
 */
export function isKnownPassword(password: string, own: readonly string[] = []): boolean {
  const text = plain(password);
  if (known.has(text) || isRun(text) || isRepeated(text)) return true;
  const mine = own
    .flatMap((each) => [plain(each), ...each.split(/[^\p{L}\p{N}]+/u).map(plain)])
    .filter((each) => each.length >= shortestOwn)
    .sort((one, other) => other.length - one.length);
  return unknownPart(text, [...mine, ...knownWords]) + unusualSigns(password) < leastUnknown;
}

/** The lowercase letters and digits of a text, after signs that commonly replace letters (`@`, `$`) are replaced by them. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[@]/g, 'a')
    .replace(/[$]/g, 's')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Number of characters that remain when known words are removed. Short numbers such as years and dates count as known, long ones do not.
 */
function unknownPart(text: string, parts: readonly string[]): number {
  const left = parts.reduce((rest, part) => rest.replaceAll(part, ' '), text);
  const numbers = left.match(/\d{9,}/g) ?? [];
  const digits = numbers.filter((number) => !isRun(number) && !isRepeated(number)).join('').length;
  return left.replace(/[\d ]/g, '').length + digits;
}

/** Number of different signs beyond the first four, which many people append to a word. */
function unusualSigns(password: string): number {
  return Math.max(0, new Set(password.replace(/[\p{L}\p{N}\s]/gu, '')).size - 4);
}

/** Whether a text repeats one to five characters: `aaaaaaaaaaaaaaa`, `abcabcabcabcabc`. */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= 5; length += 1) {
    const start = text.slice(0, length);
    if (text === start.repeat(Math.ceil(text.length / length)).slice(0, text.length)) return true;
  }
  return false;
}

/** Whether each character follows the one before in ascending or descending order: `123456789012345`, `zyxw…`. */
function isRun(text: string): boolean {
  const steps = [...text].slice(1).map((sign, at) => sign.charCodeAt(0) - text.charCodeAt(at));
  const followsBy = (step: number) => steps.filter((each) => each === step || Math.abs(each) === 9).length;
  return Math.max(followsBy(1), followsBy(-1)) === steps.length;
}
