/** Every call of the OpenAPI document, made with the client in an order that creates what later calls need. */
import { type Client, type OperationId, signPicture } from '../../../clients/typescript/src/index.ts';
import { until } from '../../servers/until.ts';
import { ADMIN_TOKEN } from '../../support/app/app.ts';
import { SAME_ORIGIN } from '../../support/app/session.ts';

/** The clients and the account that make the calls. */
export interface Place {
  readonly client: Client;
  readonly url: string;
  readonly key: string;
}

type Steps = { readonly [Id in OperationId]: () => Promise<unknown> };

const DATA = 'https://example.com/';
const HOST = 'qr.brand.example';
const ROWS = '{"data":"a"}\n{"data":"b"}\n';
const NDJSON = 'application/x-ndjson';

const cookieOf = ({ response }: { readonly response: Response }): string =>
  String(response.headers.get('set-cookie')).split(';', 1)[0]!;

const lastPart = (address: string | null): string => String(address).split('/').at(-1)!;

/** Returns the calls. The compiler reports missing ones. */
export const stepsOf = ({ client, url, key }: Place): Steps => {
  let folder = '';
  let other = '';
  let code = '';
  let slug = '';
  let change = '';
  let linkJob = '';
  let ofFolder = '';
  let ofCodes = '';
  let item = '';
  let itemsChange = '';
  let preset = '';
  let profile = '';
  let ruleSet = '';
  let batch = '';
  let upload = '';
  let webhook = '';
  let delivery = '';
  let further = '';
  let secret = { id: '', secret: '' };
  let account = '';
  let accountKey = '';
  let ownKey = '';
  let session = {};
  let operator = {};

  const beginUpload = async () => {
    const headers = { 'upload-complete': '?0' } as const;
    const { response } = await client.createBatch({ headers, contentType: NDJSON });
    return lastPart(response.headers.get('location'));
  };

  return {
    getLiveness: () => client.getLiveness(),
    askForCertificate: () => client.askForCertificate({ query: { domain: 'qr.test' } }),
    getReadiness: () => client.getReadiness(),
    getOpenApi: () => client.getOpenApi(),
    getReceiptKeys: () => client.getReceiptKeys(),
    getMetrics: () => client.getMetrics(),
    preflightRender: () => client.preflightRender(),

    createCode: () => client.createCode({ body: { data: DATA, dotsOptions: { color: '#1a4b8c' } } }),
    createFile: () => client.createFile({ body: { data: DATA }, headers: { accept: 'image/svg+xml' } }),
    createBarcode: () =>
      client.createBarcode({ body: { symbology: 'ean-13', data: '9506000134352' }, query: { text: 'gs1' } }),
    createCodes: async () => {
      const items = [{ data: DATA, dynamic: true }, { data: 'b' }];
      const { data } = await client.createCodes({ body: { folderName: 'Calls', items } });
      folder = data.meta.folder_id;
      slug = data.results[0]!.slug!;
    },
    renderCode: () => client.renderCode({ query: { content: '12345' } }),
    checkCode: () => client.checkCode({ body: { data: DATA } }),
    checkCodes: () => client.checkCodes({ body: { items: [{ data: DATA }] } }),

    checkGsData: () => client.checkGsData({ body: { value: '(01)09506000134352' } }),

    getUsage: () => client.getUsage(),
    getUsageHistory: () => client.getUsageHistory({ query: { interval: 'day' } }),
    updateOwnAccount: () => client.updateOwnAccount({ body: { dead_link_url: `${DATA}gone` } }),
    getOwnAccount: () => client.getOwnAccount(),
    listDeadLinkChanges: () => client.listDeadLinkChanges(),
    createKey: async () => {
      ownKey = (await client.createKey({ body: { name: 'Other', scopes: ['render'] } })).data.id;
    },
    listKeys: () => client.listKeys(),
    updateKey: () => client.updateKey({ path: { id: ownKey }, body: { monthly_quota: 5 } }),
    rotateKey: async () => {
      const { data } = await client.rotateKey({ path: { id: ownKey }, body: { overlap_hours: 0 } });
      ownKey = data.id;
    },
    revokeKey: () => client.revokeKey({ path: { id: ownKey } }),

    createFolder: async () => {
      other = (await client.createFolder({ body: { name: 'Autumn' } })).data.id;
    },
    listFolders: () => client.listFolders({ query: { search: 'Autumn' } }),
    getFolder: () => client.getFolder({ path: { id: folder } }),
    changeFolder: () => client.changeFolder({ path: { id: folder }, body: { keep: true } }),
    listFolderCodes: async () => {
      code = (await client.listFolderCodes({ path: { id: folder } })).data.data[0]!.id;
    },
    getFolderArchive: () => client.getFolderArchive({ path: { id: folder } }),
    createCodesSheets: () => client.createCodesSheets({ body: { ids: [code], template: 'avery-l7160' } }),
    createSheets: () => client.createSheets({ path: { id: folder }, body: { template: 'avery-l7160' } }),
    getFolderLinksSummary: () => client.getFolderLinksSummary({ path: { id: folder } }),
    checkScan: async () => {
      const drawn = await client.renderCode({ query: { content: 'scan' } });
      const body = new Uint8Array(await new Response(drawn.data).arrayBuffer());
      await client.checkScan({ path: { id: folder }, body, contentType: 'image/png' });
    },
    createVerification: async () => {
      const path = { id: folder };
      ofFolder = (await client.createVerification({ path })).data.id;
      const isDone = async () =>
        (await client.getVerification({ path: { ...path, vid: ofFolder } })).data.state === 'done';
      await until(isDone);
    },
    listVerifications: () => client.listVerifications({ path: { id: folder } }),
    getVerification: () => client.getVerification({ path: { id: folder, vid: ofFolder } }),
    getReceipt: () => client.getReceipt({ path: { id: folder, vid: ofFolder } }),
    getReceiptFile: () => client.getReceiptFile({ path: { id: folder, vid: ofFolder } }),
    createCodesVerification: async () => {
      ofCodes = (await client.createCodesVerification({ body: { ids: [code] } })).data.id;
      const isDone = async () =>
        (await client.getCodesVerification({ path: { vid: ofCodes } })).data.state === 'done';
      await until(isDone);
    },
    listCodesVerifications: () => client.listCodesVerifications(),
    getCodesVerification: () => client.getCodesVerification({ path: { vid: ofCodes } }),
    getCodesReceipt: () => client.getCodesReceipt({ path: { vid: ofCodes } }),
    getCodesReceiptFile: () => client.getCodesReceiptFile({ path: { vid: ofCodes } }),

    saveCode: async () => {
      const body = { data: DATA, dynamic: true, tags: ['autumn'] };
      const { data } = await client.saveCode({ body });
      const picture = await client.getCodeImage({ path: { id: data.id } });
      if (!(picture.data instanceof ReadableStream)) throw new Error('the picture is no stream');
    },
    listCodes: () => client.listCodes({ query: { folder_id: folder, limit: 1 } }),
    countCodes: () => client.countCodes({ query: { dynamic: true, max_grade: 4 } }),
    getCode: () => client.getCode({ path: { id: code } }),
    getCodeImage: () => client.getCodeImage({ path: { id: code }, query: { format: 'svg' } }),
    updateCode: () => client.updateCode({ path: { id: code }, body: { name: 'Poster' } }),
    drawCode: () => client.drawCode({ path: { id: code }, body: {} }),
    putCodeByExternalId: () =>
      client.putCodeByExternalId({ path: { external_id: 'own/1' }, body: { data: DATA, dynamic: true } }),
    getCodeByExternalId: () => client.getCodeByExternalId({ path: { external_id: 'own/1' } }),
    setCodeDesign: () => client.setCodeDesign({ path: { id: code }, body: { width: 400, height: 400 } }),
    getCodesArchive: () => client.getCodesArchive({ body: { ids: [code] } }),
    getLinksSummary: () => client.getLinksSummary({ body: { ids: [code] } }),
    moveCodes: () => client.moveCodes({ body: { ids: [code], folder_id: other } }),
    tagCodes: () => client.tagCodes({ body: { ids: [code], add: ['poster'] } }),
    deleteCodes: () => client.deleteCodes({ body: { ids: [code] } }),
    restoreCodes: () => client.restoreCodes({ body: { ids: [code] } }),
    deleteCode: () => client.deleteCode({ path: { id: code } }),
    listBin: () => client.listBin(),
    restoreCode: () => client.restoreCode({ path: { id: code } }),
    deleteFolder: () => client.deleteFolder({ path: { id: other } }),
    restoreFolder: () => client.restoreFolder({ path: { id: other } }),

    listLinks: () => client.listLinks({ query: { tag: 'autumn' } }),
    getLink: () => client.getLink({ path: { slug } }),
    updateLink: () => client.updateLink({ path: { slug }, body: { destination: `${DATA}autumn` } }),
    listLinkChanges: () => client.listLinkChanges({ path: { slug } }),
    updateLinks: async () => {
      const body = { slugs: [slug], change: { destination: `${DATA}winter` } };
      change = (await client.updateLinks({ body })).data.change_id!;
    },
    createLinkJob: async () => {
      const row = { slug, destination: `${DATA}spring` };
      const { data } = await client.createLinkJob({ body: `${JSON.stringify(row)}\n`, contentType: NDJSON });
      linkJob = data.id;
      await until(async () => (await client.getLinkJob({ path: { id: linkJob } })).data.state === 'done');
    },
    listLinkJobs: () => client.listLinkJobs(),
    getLinkJob: () => client.getLinkJob({ path: { id: linkJob } }),
    listLinkJobFaults: () => client.listLinkJobFaults({ path: { id: linkJob } }),
    cancelLinkJob: () => client.cancelLinkJob({ path: { id: linkJob } }),
    undoLinkJob: async () => {
      const { id } = (await client.undoLinkJob({ path: { id: linkJob } })).data;
      await until(async () => (await client.getLinkJob({ path: { id } })).data.state === 'done');
    },
    deleteLinkJob: () => client.deleteLinkJob({ path: { id: linkJob } }),
    undoLinksChange: () => client.undoLinksChange({ path: { id: change } }),
    createRuleSet: async () => {
      const rule = { name: 'phones', when: { country: ['DE'] }, destination: `${DATA}app` };
      ruleSet = (await client.createRuleSet({ body: { name: 'Apps', rules: [rule] } })).data.id;
    },
    listRuleSets: () => client.listRuleSets(),
    getRuleSet: () => client.getRuleSet({ path: { id: ruleSet } }),
    updateRuleSet: () => client.updateRuleSet({ path: { id: ruleSet }, body: { name: 'App stores' } }),
    listRuleSetChanges: () => client.listRuleSetChanges({ path: { id: ruleSet } }),
    deleteRuleSet: () => client.deleteRuleSet({ path: { id: ruleSet } }),
    createDomain: () => client.createDomain({ body: { host: HOST } }),
    listDomains: () => client.listDomains(),
    getDomain: () => client.getDomain({ path: { host: HOST } }),
    updateDomain: () => client.updateDomain({ path: { host: HOST }, body: { root_url: DATA } }),
    listUnknownSlugs: () => client.listUnknownSlugs({ path: { host: HOST } }),
    verifyDomain: () => client.verifyDomain({ path: { host: HOST } }),
    deleteDomain: () => client.deleteDomain({ path: { host: HOST } }),
    explainLink: () => client.explainLink({ path: { slug }, body: { country: 'DE' } }),
    followLink: () => client.followLink({ path: { slug } }),
    getLinkScans: () => client.getLinkScans({ path: { slug } }),
    exportLinks: () => client.exportLinks({ query: { format: 'csv' } }),
    createLinkImport: async () => {
      const row = { slug: 'moved-here', destination: 'https://example.com/moved' };
      return client.createLinkImport({ body: `${JSON.stringify(row)}\n`, contentType: NDJSON });
    },
    listRawScans: () => client.listRawScans({ query: { slug, format: 'csv' } }),
    getScans: () => client.getScans({ query: { time_zone: 'Europe/Berlin' } }),
    getScanBreakdowns: () => client.getScanBreakdowns({ query: { time_zone: 'Europe/Berlin' } }),
    exportScans: () => client.exportScans({ query: { by: 'country' } }),

    createItem: async () => {
      const links = [{ rel: 'gs1:pip', href: `${DATA}juice`, title: 'Juice' }];
      item = (await client.createItem({ body: { key: '(01)09521321000018', links } })).data.id;
    },
    listItems: () => client.listItems({ query: { key: '09521321000018' } }),
    getItem: () => client.getItem({ path: { id: item } }),
    updateItem: () => {
      const links = [{ rel: 'gs1:faqs', href: `${DATA}faqs`, title: 'Questions' }];
      return client.updateItem({ path: { id: item }, body: { links } });
    },
    updateItems: async () => {
      const set = [{ rel: 'gs1:faqs', href: `${DATA}answers`, title: 'Answers' }];
      itemsChange = (await client.updateItems({ body: { ids: [item], change: { set } } })).data.change_id!;
    },
    undoItemsChange: () => client.undoItemsChange({ path: { id: itemsChange } }),
    listItemChanges: () => client.listItemChanges({ path: { id: item } }),
    getItemScans: () => client.getItemScans({ path: { id: item } }),
    importItems: () => {
      const body = `gtin,rel,href,title\n09521321000018,gs1:pip,${DATA}juice,Juice\n`;
      return client.importItems({ body, query: { dry_run: true } });
    },
    exportItems: () => client.exportItems(),
    deleteItem: () => client.deleteItem({ path: { id: item } }),

    createPreset: async () => {
      const body = { name: 'House style', options: { dotsOptions: { type: 'rounded' } } } as const;
      preset = (await client.createPreset({ body })).data.id;
    },
    listPresets: () => client.listPresets(),
    getPreset: () => client.getPreset({ path: { id: preset } }),
    updatePreset: () => client.updatePreset({ path: { id: preset }, body: { is_default: true } }),
    deletePreset: () => client.deletePreset({ path: { id: preset } }),

    createPrintProfile: async () => {
      const body = { name: 'Flyer', options: { format: 'pdf', width_mm: 30 } } as const;
      profile = (await client.createPrintProfile({ body })).data.id;
    },
    listPrintProfiles: () => client.listPrintProfiles(),
    getPrintProfile: () => client.getPrintProfile({ path: { id: profile } }),
    updatePrintProfile: () =>
      client.updatePrintProfile({ path: { id: profile }, body: { name: 'Flyer 30 mm' } }),
    deletePrintProfile: () => client.deletePrintProfile({ path: { id: profile } }),

    previewBatch: () => client.previewBatch({ body: 'data\na\n', contentType: 'text/csv' }),
    createBatch: async () => {
      const { data } = await client.createBatch({ body: ROWS, contentType: NDJSON });
      batch = data!.id;
      await until(async () => (await client.getBatch({ path: { id: batch } })).data.state === 'done');
    },
    listBatches: () => client.listBatches(),
    getBatch: () => client.getBatch({ path: { id: batch } }),
    cancelBatch: () => client.cancelBatch({ path: { id: batch } }),
    listBatchErrors: () => client.listBatchErrors({ path: { id: batch } }),
    listBatchDuplicates: () => client.listBatchDuplicates({ path: { id: batch } }),
    createReprint: () => client.createReprint({ path: { id: batch }, body: { rows: [1] } }),
    listReprints: () => client.listReprints({ path: { id: batch } }),
    getBatchReport: () => client.getBatchReport({ path: { id: batch } }),
    listBatchParts: () => client.listBatchParts({ path: { id: batch } }),
    putCounter: () => client.putCounter({ path: { name: 'serial' }, body: { next: 1 } }),
    listCounters: () => client.listCounters(),
    getCounter: () => client.getCounter({ path: { name: 'serial' } }),
    takeCounterNumbers: () => client.takeCounterNumbers({ path: { name: 'serial' }, body: { count: 2 } }),
    listCounterBlocks: () => client.listCounterBlocks({ path: { name: 'serial' } }),
    getBatchPart: () => client.getBatchPart({ path: { id: batch, n: 1 } }),
    getUpload: async () => {
      upload = await beginUpload();
      return client.getUpload({ path: { id: upload } });
    },
    appendToUpload: () =>
      client.appendToUpload({
        path: { id: upload },
        headers: { 'upload-offset': 0, 'upload-complete': '?1' },
        body: ROWS,
      }),
    deleteUpload: async () => client.deleteUpload({ path: { id: await beginUpload() } }),

    createWebhook: async () => {
      webhook = (await client.createWebhook({ body: { url: 'http://127.0.0.1:9/', events: [] } })).data.id;
    },
    listWebhooks: () => client.listWebhooks(),
    getWebhook: () => client.getWebhook({ path: { id: webhook } }),
    updateWebhook: () => client.updateWebhook({ path: { id: webhook }, body: { events: ['quota.low'] } }),
    testWebhook: async () => {
      delivery = (await client.testWebhook({ path: { id: webhook } })).data.id;
    },
    listWebhookDeliveries: () => client.listWebhookDeliveries({ path: { id: webhook } }),
    redeliverWebhook: () => client.redeliverWebhook({ path: { id: webhook, delivery } }),
    listEvents: () => client.listEvents({ query: { delivered: false } }),
    redeliverEvents: () =>
      client.redeliverEvents({ path: { id: webhook }, body: { since: '2026-01-01T00:00:00Z' } }),
    createWebhookSecret: async () => {
      further = (await client.createWebhookSecret({ path: { id: webhook } })).data.id;
    },
    listWebhookSecrets: () => client.listWebhookSecrets({ path: { id: webhook } }),
    deleteWebhookSecret: () => client.deleteWebhookSecret({ path: { id: webhook, secret: further } }),
    deleteWebhook: () => client.deleteWebhook({ path: { id: webhook } }),

    createSigningSecret: async () => {
      secret = (await client.createSigningSecret()).data;
    },
    listSigningSecrets: () => client.listSigningSecrets(),
    signUrl: () => client.signUrl({ body: { data: DATA, width: 400 } }),
    showSignedPicture: async () => {
      const address = await signPicture({ data: DATA, width: 400 }, { url, secret });
      const [signature = '', picture = ''] = address.split('/').slice(-2);
      return client.showSignedPicture({ path: { signature, picture } });
    },
    deleteSigningSecret: () => client.deleteSigningSecret({ path: { id: secret.id } }),

    signIn: async () => {
      session = {
        ...SAME_ORIGIN,
        cookie: cookieOf(await client.signIn({ body: { key }, headers: SAME_ORIGIN })),
      };
    },
    getSession: () => client.getSession({ headers: session }),
    previewCode: () => client.previewCode({ body: { data: DATA }, headers: session }),
    checkDesign: () => client.checkDesign({ body: { data: DATA }, headers: session }),
    signOut: () => client.signOut({ headers: session }),
    signInOperator: async () => {
      const body = { token: ADMIN_TOKEN };
      const cookie = cookieOf(await client.signInOperator({ body, headers: SAME_ORIGIN }));
      operator = { ...SAME_ORIGIN, cookie };
    },
    getOperatorSession: () => client.getOperatorSession({ headers: operator }),
    signOutOperator: () => client.signOutOperator({ headers: operator }),

    createAccount: async () => {
      account = (await client.createAccount({ body: { name: 'ACME', plan: 'pro' } })).data.id;
    },
    listAccounts: () => client.listAccounts({ query: { search: 'ACME' } }),
    getAccount: () => client.getAccount({ path: { id: account } }),
    updateAccount: () => client.updateAccount({ path: { id: account }, body: { monthly_quota: 5 } }),
    addCredits: () => client.addCredits({ path: { id: account }, body: { amount: 10 } }),
    createAccountKey: async () => {
      accountKey = (await client.createAccountKey({ path: { id: account }, body: { name: 'One' } })).data.id;
    },
    listAccountKeys: () => client.listAccountKeys({ path: { id: account } }),
    rotateAccountKey: async () => {
      const { data } = await client.rotateAccountKey({
        path: { id: accountKey },
        body: { overlap_hours: 0 },
      });
      accountKey = data.id;
    },
    updateAccountKey: () => client.updateAccountKey({ path: { id: accountKey }, body: { name: 'Two' } }),
    revokeAccountKey: () => client.revokeAccountKey({ path: { id: accountKey } }),
    getAccountUsageHistory: () => client.getAccountUsageHistory({ path: { id: account } }),
    getUsageReport: () => client.getUsageReport(),
  };
};
