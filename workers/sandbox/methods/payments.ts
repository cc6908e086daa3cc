// Made by `npm run docs` from the files in `methods/`; do not edit.
import * as clearSavedInfo from './payments/clear-saved-info.ts';
import * as getPaymentForm from './payments/get-payment-form.ts';
import * as getPaymentReceipt from './payments/get-payment-receipt.ts';
import * as getResaleStarGifts from './payments/get-resale-star-gifts.ts';
import * as getSavedInfo from './payments/get-saved-info.ts';
import * as getSavedStarGift from './payments/get-saved-star-gift.ts';
import * as getSavedStarGifts from './payments/get-saved-star-gifts.ts';
import * as getStarsRevenueAdsAccountUrl from './payments/get-stars-revenue-ads-account-url.ts';
import * as saveStarGift from './payments/save-star-gift.ts';
import * as sendPaymentForm from './payments/send-payment-form.ts';
import * as transferStarGift from './payments/transfer-star-gift.ts';
import * as updateStarGiftPrice from './payments/update-star-gift-price.ts';
import * as validateRequestedInfo from './payments/validate-requested-info.ts';

export const methods = {
  'payments.clearSavedInfo': clearSavedInfo.clearSavedInfo,
  'payments.getPaymentForm': getPaymentForm.getPaymentForm,
  'payments.getPaymentReceipt': getPaymentReceipt.getPaymentReceipt,
  'payments.getResaleStarGifts': getResaleStarGifts.getResaleStarGifts,
  'payments.getSavedInfo': getSavedInfo.getSavedInfo,
  'payments.getSavedStarGift': getSavedStarGift.getSavedStarGift,
  'payments.getSavedStarGifts': getSavedStarGifts.getSavedStarGifts,
  'payments.getStarsRevenueAdsAccountUrl': getStarsRevenueAdsAccountUrl.getStarsRevenueAdsAccountUrl,
  'payments.saveStarGift': saveStarGift.saveStarGift,
  'payments.sendPaymentForm': sendPaymentForm.sendPaymentForm,
  'payments.transferStarGift': transferStarGift.transferStarGift,
  'payments.updateStarGiftPrice': updateStarGiftPrice.updateStarGiftPrice,
  'payments.validateRequestedInfo': validateRequestedInfo.validateRequestedInfo,
};

export const examples = {
  'payments.clearSavedInfo': clearSavedInfo.example,
  'payments.getPaymentForm': getPaymentForm.example,
  'payments.getPaymentReceipt': getPaymentReceipt.example,
  'payments.getResaleStarGifts': getResaleStarGifts.example,
  'payments.getSavedInfo': getSavedInfo.example,
  'payments.getSavedStarGift': getSavedStarGift.example,
  'payments.getSavedStarGifts': getSavedStarGifts.example,
  'payments.getStarsRevenueAdsAccountUrl': getStarsRevenueAdsAccountUrl.example,
  'payments.saveStarGift': saveStarGift.example,
  'payments.sendPaymentForm': sendPaymentForm.example,
  'payments.transferStarGift': transferStarGift.example,
  'payments.updateStarGiftPrice': updateStarGiftPrice.example,
  'payments.validateRequestedInfo': validateRequestedInfo.example,
};

export const differences = {
  'payments.getPaymentForm': getPaymentForm.difference,
  'payments.getResaleStarGifts': getResaleStarGifts.difference,
  'payments.getSavedStarGifts': getSavedStarGifts.difference,
  'payments.getStarsRevenueAdsAccountUrl': getStarsRevenueAdsAccountUrl.difference,
  'payments.sendPaymentForm': sendPaymentForm.difference,
};
