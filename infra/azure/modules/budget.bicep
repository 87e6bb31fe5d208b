// What a month may cost, and who hears of it before and when it does.

@description('Name of the budget.')
param name string

@description('Amount a month, in the currency of the subscription.')
@minValue(1)
param monthlyAmount int

@description('First day of the first month that counts, as YYYY-MM-01; it cannot be changed later.')
param startDate string

@description('E-mail addresses that are told.')
param emails string[]

resource budget 'Microsoft.Consumption/budgets@2024-08-01' = {
  name: name
  properties: {
    category: 'Cost'
    amount: monthlyAmount
    timeGrain: 'Monthly'
    timePeriod: {
      startDate: startDate
    }
    notifications: {
      half: {
        enabled: true
        operator: 'GreaterThanOrEqualTo'
        threshold: 50
        thresholdType: 'Actual'
        contactEmails: emails
      }
      nearly: {
        enabled: true
        operator: 'GreaterThanOrEqualTo'
        threshold: 80
        thresholdType: 'Actual'
        contactEmails: emails
      }
      spent: {
        enabled: true
        operator: 'GreaterThanOrEqualTo'
        threshold: 100
        thresholdType: 'Actual'
        contactEmails: emails
      }
      foreseen: {
        enabled: true
        operator: 'GreaterThanOrEqualTo'
        threshold: 100
        thresholdType: 'Forecasted'
        contactEmails: emails
      }
    }
  }
}
