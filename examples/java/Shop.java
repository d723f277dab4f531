// SPDX-License-Identifier: MIT
/*
 * An online shop on the first morning of a sale: customers arrive as soon as the shop opens, and the
 * first who asks for a price has the price list made.
 *
 * Bug patterns: sleep interleaving; double-checked locking.
 * Where: Shop.prices() creates the list at first use, with a check before and a check inside the
 *     lock. The reference is stored before the list is filled, so the check outside the lock lets
 *     others have a list that is not ready. To be on the safe side the customers sleep for a moment
 *     before they ask, while the shopkeeper warms up the list: long enough, it is believed.
 * Symptom: goods whose price is not there yet are sold for nothing.
 * A failing run prints "sold below price" and exits with status 1.
 *
 *     java Shop [CUSTOMERS] [ARTICLES] [PAUSE-IN-MILLISECONDS]
 */
public class Shop {
    static final int CUSTOMERS = 4;
    static final int ARTICLES = 80_000;
    static final int PAUSE = 1;

    static class PriceList {
        private final int[] prices;

        PriceList(int articles) {
            prices = new int[articles];
        }

        /** A price follows from costs, margin and the rebate of the sale, and ends in 9 cents. */
        void fill() {
            for (int article = 0; article < prices.length; article++) {
                prices[article] = calculate(article);
            }
        }

        static int calculate(int article) {
            int costs = 150 + article * 7919 % 20_011;
            int margin = costs * (20 + article % 13) / 100;
            int rebate = 0;
            for (int step = costs + margin; step > 100; step /= 3) {
                rebate += step % 10;
            }
            int price = costs + margin - rebate;
            return price - price % 10 + 9;
        }

        int price(int article) {
            return prices[article];
        }
    }

    private final int articles;
    private PriceList prices;

    Shop(int articles) {
        this.articles = articles;
    }

    PriceList prices() {
        if (prices == null) {
            synchronized (this) {
                if (prices == null) {
                    prices = new PriceList(articles);
                    prices.fill();
                }
            }
        }
        return prices;
    }

    static class Shopkeeper extends Thread {
        private final Shop shop;

        Shopkeeper(Shop shop) {
            super("shopkeeper");
            this.shop = shop;
        }

        @Override
        public void run() {
            shop.prices();
        }
    }

    static class Customer extends Thread {
        private final Shop shop;
        private final int[] basket = new int[8];
        private final int pause;
        private long paid;

        Customer(Shop shop, int number, int pause) {
            super("customer-" + number);
            this.shop = shop;
            this.pause = pause;
            for (int i = 0; i < basket.length; i++) {
                basket[i] = (number * 331 + shop.articles / basket.length * i) % shop.articles;
            }
        }

        @Override
        public void run() {
            try {
                Thread.sleep(pause); // the shopkeeper is first
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a customer", e);
            }
            for (int article : basket) {
                paid += shop.prices().price(article);
            }
        }

        long worth() {
            long worth = 0;
            for (int article : basket) {
                worth += PriceList.calculate(article);
            }
            return worth;
        }
    }

    static int argument(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    public static void main(String[] args) throws InterruptedException {
        Customer[] customers = new Customer[argument(args, 0, CUSTOMERS)];
        Shop shop = new Shop(argument(args, 1, ARTICLES));
        Shopkeeper shopkeeper = new Shopkeeper(shop);
        shopkeeper.start();
        for (int i = 0; i < customers.length; i++) {
            customers[i] = new Customer(shop, i + 1, argument(args, 2, PAUSE));
            customers[i].start();
        }
        shopkeeper.join();
        long paid = 0;
        long worth = 0;
        for (Customer customer : customers) {
            customer.join();
            paid += customer.paid;
            worth += customer.worth();
        }
        if (paid != worth) {
            System.out.println("sold below price: customers paid " + paid + " for goods worth " + worth);
            System.exit(1);
        }
        System.out.println("sold at the right price: " + paid);
    }
}
