/**
 * Fetchers that draw a link's card in a chat or a feed: somebody shared the link, nobody has opened it yet.
 * The names are those that their operators document or send. In-app browsers, which people use, carry other
 * names (`FBAN`, `Instagram`, `Line/`, `KAKAOTALK`, `[Pinterest/iOS]`) and must not match.
 */
const PREVIEW_FETCHERS = [
  'bitlybot',
  'bluesky cardyb',
  'chatwork linkpreview',
  'developers\\.google\\.com/\\+/web/snippet', // Google Chat and Gmail
  'discordbot',
  'embedly',
  'facebookexternalhit', // Facebook and Messenger; iMessage and LINE name it too
  'facebot',
  'flipboardproxy',
  'iframely',
  'kakaotalk-scrap',
  'linkedinbot',
  'mastodon/',
  'mattermost-bot',
  'meta-externalfetcher',
  'microsoftpreview', // Teams and Outlook
  'odklbot',
  'pinterest(?:bot|/0)',
  'redditbot',
  'rocket\\.chat',
  'skypeuripreview',
  'slack-imgproxy',
  'slackbot',
  'snap url preview',
  'telegrambot',
  'twitterbot',
  'viber',
  'vkshare',
  'whatsapp', // Signal borrows this name
];

const PATTERN = new RegExp(PREVIEW_FETCHERS.join('|'), 'i');

/** Whether a user agent fetches links to draw cards of them. */
export const isPreviewFetcher = (userAgent: string): boolean => PATTERN.test(userAgent);
