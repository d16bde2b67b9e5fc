-- The upkeep finds hours that are 90 days old by it, among all accounts.
create index usage_hours_by_age on usage_hours (hour);
-- And days that are no longer kept.
create index usage_days_by_age on usage_days (day);
