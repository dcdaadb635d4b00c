"""The vocabulary of the made-up tables: names, countries, diagnoses, occupations, and how they go together."""

from typing import NamedTuple

# part of the world -> (first names of women, first names of men, family names)
NAMES = {
    "english": (
        "Grace Hannah Olivia Emily Ruth Claire Megan Joan Alice Nora Paula Heather",
        "James Walter Henry Ryan George Adam Peter Luke Stephen Colin Martin Edward",
        "Whitaker Harper Ellison Marsh Bowen Hartley Sutton Fletcher Doyle Preston Gallagher Winslow Barlow Keane",
    ),
    "latin": (
        "Lucia Camila Elena Rosa Noemi Marisol Pilar Ximena Beatriz Carmen",
        "Mateo Diego Javier Luis Andres Rafael Hector Emilio Tomas Joaquin",
        "Salazar Montoya Ibarra Cordero Villanueva Paredes Quintero Ferreira Almeida Navarro Rosales Batista",
    ),
    "slavic": (
        "Irina Katarzyna Olena Natalia Milena Svetlana Agnieszka Daria",
        "Pavel Andrei Tomasz Oleksandr Marek Viktor Bogdan Nikolai",
        "Kowalczyk Petrov Shevchuk Novak Sokolov Wrona Bondar Zielinski Orlov Havel",
    ),
    "european": (
        "Greta Sophie Chiara Amelie Ingrid Eleni Saskia Lotte",
        "Lukas Matthieu Stefano Jonas Pieter Nikos Anders Florian",
        "Brandt Lefevre Moretti Lindqvist Vermeer Papadakis Keller Rossini Dubois Haugen",
    ),
    "arabic": (
        "Layla Amina Yasmin Noor Salma Rania Huda Farah",
        "Omar Karim Yusuf Tariq Samir Bilal Hassan Nabil",
        "Haddad Mansour Rahal Nasser Khoury Aziz Saleh Farouk Darwish Zaman",
    ),
    "south asian": (
        "Priya Anjali Meera Lakshmi Sunita Kavya Fatima Nasreen",
        "Arjun Vikram Rohan Sanjay Imran Suresh Anil Faisal",
        "Iyer Banerjee Chaudhry Reddy Kulkarni Mehta Rahman Pillai Bhatt Qureshi",
    ),
    "east asian": (
        "Mei Yuki Linh Hana Jia Soo-jin Akiko Thuy",
        "Wei Kenji Minh Haruto Jun Sung-ho Takeshi Bao",
        "Tanaka Nguyen Zhang Kobayashi Park Liang Fujimoto Tran Choi Huang",
    ),
    "african": (
        "Amara Zainab Thandiwe Adaeze Makeda Efua Wanjiru Abena",
        "Kwame Chidi Tendai Sipho Oluwaseun Kofi Juma Tesfaye",
        "Okafor Mensah Dlamini Abebe Mwangi Diallo Adeyemi Boateng Nkosi Kamau",
    ),
}


class Nationality(NamedTuple):
    """A people, where it lives, how its names sound and how many patients in a thousand are of it."""

    name: str
    region: str
    continent: str
    names: str
    weight: float


NATIONALITIES = [
    Nationality("American", "Northern America", "Americas", "english", 690),
    Nationality("Canadian", "Northern America", "Americas", "english", 22),
    Nationality("Mexican", "Latin America", "Americas", "latin", 58),
    Nationality("Brazilian", "Latin America", "Americas", "latin", 21),
    Nationality("Colombian", "Latin America", "Americas", "latin", 12),
    Nationality("Dominican", "Latin America", "Americas", "latin", 14),
    Nationality("British", "Western Europe", "Europe", "english", 13),
    Nationality("German", "Western Europe", "Europe", "european", 9),
    Nationality("French", "Western Europe", "Europe", "european", 7),
    Nationality("Italian", "Southern Europe", "Europe", "european", 8),
    Nationality("Greek", "Southern Europe", "Europe", "european", 4),
    Nationality("Portuguese", "Southern Europe", "Europe", "latin", 11),
    Nationality("Polish", "Eastern Europe", "Europe", "slavic", 10),
    Nationality("Russian", "Eastern Europe", "Europe", "slavic", 12),
    Nationality("Ukrainian", "Eastern Europe", "Europe", "slavic", 6),
    Nationality("Chinese", "Eastern Asia", "Asia", "east asian", 24),
    Nationality("Japanese", "Eastern Asia", "Asia", "east asian", 8),
    Nationality("Korean", "Eastern Asia", "Asia", "east asian", 7),
    Nationality("Vietnamese", "South-eastern Asia", "Asia", "east asian", 9),
    Nationality("Indian", "Southern Asia", "Asia", "south asian", 26),
    Nationality("Pakistani", "Southern Asia", "Asia", "south asian", 6),
    Nationality("Lebanese", "Western Asia", "Asia", "arabic", 5),
    Nationality("Moroccan", "Northern Africa", "Africa", "arabic", 5),
    Nationality("Nigerian", "Sub-Saharan Africa", "Africa", "african", 7),
    Nationality("Ethiopian", "Sub-Saharan Africa", "Africa", "african", 4),
    Nationality("Ghanaian", "Sub-Saharan Africa", "Africa", "african", 2),
]


class Diagnosis(NamedTuple):
    """A reason for a stay: where it belongs, whom it strikes, when, and what it costs."""

    name: str
    group: str
    chapter: str
    weight: float
    peak_age: float
    width: float
    women: float
    men: float
    charge: float
    winter: bool = False


DIAGNOSES = [
    Diagnosis("Coronary artery disease", "Heart disease", "Circulatory", 10, 70, 14, 0.7, 1.4, 21500),
    Diagnosis("Heart failure", "Heart disease", "Circulatory", 8, 78, 11, 1.0, 1.1, 14200),
    Diagnosis("Atrial fibrillation", "Heart disease", "Circulatory", 5, 73, 12, 0.9, 1.1, 9800),
    Diagnosis("Stroke", "Vessel disease", "Circulatory", 5, 74, 13, 1.0, 1.0, 18700),
    Diagnosis("Deep vein thrombosis", "Vessel disease", "Circulatory", 2, 60, 20, 1.1, 0.9, 7400),
    Diagnosis("Influenza", "Respiratory infection", "Respiratory", 7, 30, 45, 1.0, 1.0, 4300, True),
    Diagnosis("Pneumonia", "Respiratory infection", "Respiratory", 8, 68, 30, 0.9, 1.1, 9100, True),
    Diagnosis("Bronchiolitis", "Respiratory infection", "Respiratory", 9, 1, 2, 0.9, 1.1, 5200, True),
    Diagnosis("Asthma", "Chronic lung disease", "Respiratory", 4, 15, 20, 1.1, 1.0, 4900),
    Diagnosis("COPD", "Chronic lung disease", "Respiratory", 5, 70, 11, 1.0, 1.1, 8600, True),
    Diagnosis("Breast cancer", "Solid tumor", "Neoplasms", 5, 62, 14, 1.9, 0.02, 19800),
    Diagnosis("Prostate cancer", "Solid tumor", "Neoplasms", 5, 70, 9, 0.0, 1.9, 17300),
    Diagnosis("Lung cancer", "Solid tumor", "Neoplasms", 4, 69, 11, 0.9, 1.1, 24600),
    Diagnosis("Colon cancer", "Solid tumor", "Neoplasms", 4, 67, 13, 0.9, 1.1, 22900),
    Diagnosis("Leukemia", "Blood cancer", "Neoplasms", 2, 50, 28, 0.9, 1.1, 38500),
    Diagnosis("Normal delivery", "Delivery", "Pregnancy", 23, 30, 5, 2.0, 0.0, 6900),
    Diagnosis("Cesarean delivery", "Delivery", "Pregnancy", 10, 32, 5, 2.0, 0.0, 11800),
    Diagnosis("Depression", "Mood disorder", "Mental health", 6, 35, 17, 1.3, 0.8, 7200),
    Diagnosis("Bipolar disorder", "Mood disorder", "Mental health", 2, 33, 13, 1.0, 1.0, 8400),
    Diagnosis("Alcohol dependence", "Substance use", "Mental health", 5, 46, 13, 0.5, 1.5, 6100),
    Diagnosis("Opioid dependence", "Substance use", "Mental health", 3, 34, 10, 0.7, 1.3, 5800),
    Diagnosis("Hip fracture", "Fracture", "Injury", 6, 82, 9, 1.4, 0.7, 19400),
    Diagnosis("Forearm fracture", "Fracture", "Injury", 6, 12, 13, 0.8, 1.2, 6300),
    Diagnosis("Concussion", "Head injury", "Injury", 3, 20, 15, 0.8, 1.3, 5400),
    Diagnosis("Appendicitis", "Abdominal surgery", "Digestive", 7, 22, 14, 0.9, 1.1, 10700),
    Diagnosis("Gallstones", "Abdominal surgery", "Digestive", 6, 52, 16, 1.4, 0.7, 9900),
    Diagnosis("Gastroenteritis", "Bowel disease", "Digestive", 4, 25, 35, 1.0, 1.0, 3800),
    Diagnosis("Crohn disease", "Bowel disease", "Digestive", 2, 29, 12, 1.0, 1.0, 12300),
    Diagnosis("Type 2 diabetes", "Diabetes", "Metabolic", 6, 62, 14, 0.9, 1.1, 6600),
    Diagnosis("Type 1 diabetes", "Diabetes", "Metabolic", 2, 18, 12, 1.0, 1.0, 7100),
    Diagnosis("HIV", "Chronic infection", "Infections", 2, 40, 11, 0.5, 1.5, 8900),
    Diagnosis("Hepatitis C", "Chronic infection", "Infections", 2, 52, 12, 0.8, 1.2, 9500),
]

# (country, region, continent, weight)
COUNTRIES = [
    ("United States", "Northern America", "Americas", 8150),
    ("Canada", "Northern America", "Americas", 60),
    ("Mexico", "Central America", "Americas", 520),
    ("Guatemala", "Central America", "Americas", 70),
    ("El Salvador", "Central America", "Americas", 75),
    ("Cuba", "Caribbean", "Americas", 80),
    ("Dominican Republic", "Caribbean", "Americas", 70),
    ("Haiti", "Caribbean", "Americas", 45),
    ("Colombia", "South America", "Americas", 50),
    ("Brazil", "South America", "Americas", 35),
    ("Peru", "South America", "Americas", 30),
    ("United Kingdom", "Northern Europe", "Europe", 45),
    ("Ireland", "Northern Europe", "Europe", 12),
    ("Germany", "Western Europe", "Europe", 40),
    ("France", "Western Europe", "Europe", 14),
    ("Italy", "Southern Europe", "Europe", 22),
    ("Portugal", "Southern Europe", "Europe", 14),
    ("Poland", "Eastern Europe", "Europe", 28),
    ("Ukraine", "Eastern Europe", "Europe", 25),
    ("Russia", "Eastern Europe", "Europe", 27),
    ("China", "Eastern Asia", "Asia", 130),
    ("Korea", "Eastern Asia", "Asia", 65),
    ("Japan", "Eastern Asia", "Asia", 22),
    ("Philippines", "South-eastern Asia", "Asia", 120),
    ("Vietnam", "South-eastern Asia", "Asia", 80),
    ("India", "Southern Asia", "Asia", 150),
    ("Pakistan", "Southern Asia", "Asia", 25),
    ("Iran", "Southern Asia", "Asia", 24),
    ("Egypt", "Northern Africa", "Africa", 14),
    ("Morocco", "Northern Africa", "Africa", 8),
    ("Nigeria", "Western Africa", "Africa", 25),
    ("Ghana", "Western Africa", "Africa", 12),
    ("Ethiopia", "Eastern Africa", "Africa", 16),
    ("Kenya", "Eastern Africa", "Africa", 9),
]

# (attainment, band, broad band, schooling in years)
EDUCATION = [
    ("No schooling", "Primary or less", "Without diploma", 0),
    ("Primary school", "Primary or less", "Without diploma", 6),
    ("Grade 9", "Some secondary", "Without diploma", 9),
    ("Grade 11", "Some secondary", "Without diploma", 11),
    ("High school", "Secondary", "With diploma", 12),
    ("Some college", "Secondary", "With diploma", 13),
    ("Associate degree", "First degree", "With degree", 14),
    ("Bachelor", "First degree", "With degree", 16),
    ("Master", "Further degree", "With degree", 18),
    ("Professional degree", "Further degree", "With degree", 19),
    ("Doctorate", "Further degree", "With degree", 21),
]

# (occupation, field, broad field, typical schooling in years, yearly pay)
OCCUPATIONS = [
    ("Manager", "Management", "Office and professions", 15, 84000),
    ("Accountant", "Management", "Office and professions", 16, 68000),
    ("Engineer", "Technology", "Office and professions", 17, 92000),
    ("Programmer", "Technology", "Office and professions", 16, 95000),
    ("Scientist", "Technology", "Office and professions", 20, 88000),
    ("Lawyer", "Law and teaching", "Office and professions", 19, 112000),
    ("Teacher", "Law and teaching", "Office and professions", 17, 54000),
    ("Physician", "Health", "Office and professions", 20, 168000),
    ("Nurse", "Health", "Office and professions", 15, 66000),
    ("Care aide", "Health", "Office and professions", 12, 30000),
    ("Clerk", "Administration", "Sales and services", 13, 37000),
    ("Secretary", "Administration", "Sales and services", 13, 39000),
    ("Sales agent", "Sales", "Sales and services", 14, 52000),
    ("Cashier", "Sales", "Sales and services", 11, 24000),
    ("Cook", "Food and cleaning", "Sales and services", 10, 27000),
    ("Waiter", "Food and cleaning", "Sales and services", 12, 25000),
    ("Cleaner", "Food and cleaning", "Sales and services", 9, 26000),
    ("Police officer", "Protection", "Sales and services", 14, 63000),
    ("Guard", "Protection", "Sales and services", 12, 33000),
    ("Farmer", "Land", "Trades and transport", 11, 41000),
    ("Farm worker", "Land", "Trades and transport", 7, 25000),
    ("Carpenter", "Building", "Trades and transport", 11, 43000),
    ("Electrician", "Building", "Trades and transport", 13, 55000),
    ("Mechanic", "Making and mending", "Trades and transport", 12, 46000),
    ("Machinist", "Making and mending", "Trades and transport", 11, 42000),
    ("Truck driver", "Transport", "Trades and transport", 11, 45000),
    ("Warehouse worker", "Transport", "Trades and transport", 11, 31000),
    ("No occupation", "Outside work", "Without work", 0, 0),
]

# (status, group)
EMPLOYMENT = [
    ("Private", "In work"),
    ("Public", "In work"),
    ("Self-employed", "In work"),
    ("Unemployed", "Not in work"),
    ("Student", "Not in work"),
    ("Retired", "Not in work"),
    ("Home duties", "Not in work"),
]

# (status, group)
MARITAL = [
    ("Never married", "Single"),
    ("Married", "Partnered"),
    ("Partnership", "Partnered"),
    ("Separated", "Formerly partnered"),
    ("Divorced", "Formerly partnered"),
    ("Widowed", "Formerly partnered"),
]
